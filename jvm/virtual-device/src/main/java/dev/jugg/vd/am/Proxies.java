package dev.jugg.vd.am;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.robolectric.util.ReflectionHelpers;

/** Stand-ins for system services: some calls are answered here, all others with an empty value of their type. */
public final class Proxies {
  /** Answered by a handler for calls that it does not know. */
  public static final Object DEFAULT = new Object();

  /** Answers a call by its name. */
  public interface Handler {
    Object call(String method, Object[] arguments) throws Exception;
  }

  private Proxies() {}

  public static <T> T create(Class<T> type, Handler handler) {
    return create(type, ReflectionHelpers.createDeepProxy(type), handler);
  }

  /** {@code fallback} gets the calls that the handler does not know. */
  public static <T> T create(Class<T> type, T fallback, Handler handler) {
    InvocationHandler invocation = (proxy, method, arguments) -> {
      switch (method.getName()) {
        case "hashCode":
          return System.identityHashCode(proxy);
        case "equals":
          return proxy == arguments[0];
        case "toString":
          return type.getName();
        default:
          Object result = handler.call(method.getName(), arguments);
          return result == DEFAULT ? invoke(fallback, method, arguments) : result;
      }
    };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, invocation));
  }

  private static Object invoke(Object target, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
