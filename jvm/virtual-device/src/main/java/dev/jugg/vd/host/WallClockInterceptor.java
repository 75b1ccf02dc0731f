package dev.jugg.vd.host;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.MethodSignature;
import org.robolectric.util.Function;

/**
 * Public because Robolectric makes instances by reflection. The framework jar has its calls of System.nanoTime and System.currentTimeMillis replaced; this gives them the machine's
 * clocks again.
 */
public final class WallClockInterceptor extends Interceptor {
  private static final String NANOS = "nanoTime";
  private static final String MILLIS = "currentTimeMillis";

  public WallClockInterceptor() {
    super(new MethodRef(System.class, NANOS), new MethodRef(System.class, MILLIS));
  }

  @Override
  public Function<Object, Object> handle(MethodSignature signature) {
    boolean nanos = signature.methodName.equals(NANOS);
    return (type, value, arguments) -> nanos ? System.nanoTime() : System.currentTimeMillis();
  }

  @Override
  public MethodHandle getMethodHandle(String name, MethodType type)
      throws NoSuchMethodException, IllegalAccessException {
    return MethodHandles.lookup().findStatic(System.class, name, MethodType.methodType(long.class));
  }
}
