package dev.jugg.vd.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Makes stack traces look as on a device: the instrumented framework's extra frames and our own are left out. */
public final class StackTraces {
  private static final String MOVED = "$$robo$$";
  private static final String[] OURS = {"org.robolectric.", "dev.jugg.vd.", "jdk.internal.", "java.lang.invoke."};

  private StackTraces() {}

  /** Cleans {@code error}, its causes and its suppressed ones in place. */
  public static void clean(Throwable error) {
    clean(error, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static void clean(Throwable error, Set<Throwable> seen) {
    if (error == null || !seen.add(error)) {
      return;
    }
    error.setStackTrace(clean(error.getStackTrace()));
    clean(error.getCause(), seen);
    for (Throwable suppressed : error.getSuppressed()) {
      clean(suppressed, seen);
    }
  }

  private static StackTraceElement[] clean(StackTraceElement[] frames) {
    List<StackTraceElement> kept = new ArrayList<>();
    StackTraceElement moved = null;
    boolean belowLoop = false;
    for (StackTraceElement frame : frames) {
      boolean carrier = belowLoop && !frame.getClassName().startsWith("android.");
      if (carrier || isOurs(frame) || isForwarder(frame, moved)) {
        continue;
      }
      StackTraceElement original = original(frame);
      moved = frame.getMethodName().startsWith(MOVED) ? original : null;
      belowLoop = belowLoop || original.getClassName().equals("android.os.Looper");
      kept.add(original);
    }
    return kept.toArray(new StackTraceElement[0]);
  }

  private static boolean isOurs(StackTraceElement frame) {
    for (String prefix : OURS) {
      if (frame.getClassName().startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** The framework's method itself only calls the moved one: the same name once more, without a line. */
  private static boolean isForwarder(StackTraceElement frame, StackTraceElement moved) {
    return moved != null
        && frame.getClassName().equals(moved.getClassName())
        && frame.getMethodName().equals(moved.getMethodName());
  }

  /** With the method's own name, and without the names of loaders and modules that Android does not have. */
  private static StackTraceElement original(StackTraceElement frame) {
    String name = frame.getMethodName();
    if (name.startsWith(MOVED)) {
      name = name.substring(name.lastIndexOf('$') + 1);
    }
    return new StackTraceElement(
        frame.getClassName(),
        name.equals("__constructor__") ? "<init>" : name,
        frame.getFileName(),
        frame.getLineNumber());
  }
}
