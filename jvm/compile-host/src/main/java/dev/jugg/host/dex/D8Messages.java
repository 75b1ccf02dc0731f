package dev.jugg.host.dex;

import dev.jugg.host.Diagnostic;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Stands for D8's DiagnosticsHandler; D8 calls it from several threads. */
final class D8Messages implements InvocationHandler {
  private final List<Diagnostic> all = Collections.synchronizedList(new ArrayList<>());

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws ReflectiveOperationException {
    switch (method.getName()) {
      case "error", "warning" -> all.add(diagnostic(method.getName(), arguments[0]));
      case "modifyDiagnosticsLevel" -> {
        return arguments[0];
      }
      case "toString" -> {
        return "Jugg's messages";
      }
      case "hashCode" -> {
        return System.identityHashCode(proxy);
      }
      case "equals" -> {
        return proxy == arguments[0];
      }
      default -> {
        // "info" is about D8's own work.
      }
    }
    return null;
  }

  void failed(Throwable cause) {
    if (all.stream().noneMatch(Diagnostic::isError)) {
      all.add(Diagnostic.error("d8", cause.toString()));
    }
  }

  List<Diagnostic> all() {
    synchronized (all) {
      return List.copyOf(all);
    }
  }

  private static Diagnostic diagnostic(String severity, Object message) throws ReflectiveOperationException {
    // The public interface is asked for its methods: the implementing classes are not public.
    Class<?> api = message.getClass().getClassLoader().loadClass("com.android.tools.r8.Diagnostic");
    String text = String.valueOf(api.getMethod("getDiagnosticMessage").invoke(message));
    String origin = String.valueOf(api.getMethod("getOrigin").invoke(message));
    boolean known = !origin.contains("<unknown>") && !origin.contains("<root>");
    return Diagnostic.withoutPlace(severity, "d8", known ? origin : null, text);
  }
}
