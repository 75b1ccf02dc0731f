package dev.jugg.vd;

import android.util.Log;
import com.google.gson.JsonObject;
import dev.jugg.vd.host.Host;
import dev.jugg.vd.log.StackTraces;
import java.util.concurrent.atomic.AtomicBoolean;

/** What Android's RuntimeInit does with an exception that nobody caught: log entry, report, end of the process. */
final class CrashHandler implements Thread.UncaughtExceptionHandler {
  private static final int CRASH_BUFFER = 4;
  private static final String TAG = "AndroidRuntime";

  private final Host host;
  private final AtomicBoolean crashed = new AtomicBoolean();

  CrashHandler(Host host) {
    this.host = host;
  }

  void install() {
    Thread.setDefaultUncaughtExceptionHandler(this);
  }

  @Override
  public void uncaughtException(Thread thread, Throwable error) {
    if (!crashed.compareAndSet(false, true)) {
      return;
    }
    try {
      report(thread, error);
    } finally {
      host.exit(1);
    }
  }

  /** The format is that of RuntimeInit.logUncaught: tools look for it. */
  private void report(Thread thread, Throwable error) {
    StackTraces.clean(error);
    BoundApp app = BoundApp.current();
    String process = app == null ? "" : app.processName();
    String stack = Log.getStackTraceString(error);
    String head = "FATAL EXCEPTION: " + thread.getName() + "\n"
        + "Process: " + process + ", PID: " + ProcessHandle.current().pid();
    Log.printlns(CRASH_BUFFER, Log.ERROR, TAG, head, error);
    Throwable root = error;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String missing = MissingParts.named(root);
    if (missing != null) {
      Log.w("JuggVirtualDevice", missing);
    }
    JsonObject crash = new JsonObject();
    crash.addProperty("process", process);
    crash.addProperty("exception", root.getClass().getName());
    crash.addProperty("message", String.valueOf(root.getMessage()));
    crash.addProperty("stack", stack.isEmpty() ? error.toString() : stack);
    host.channel().event("crash", crash);
    host.channel().failOpen("APP_CRASHED", root.toString());
  }
}
