package dev.jugg.vd.debug;

import dev.jugg.vd.host.Debugger;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowDebug;

/** Debuggers as ART tells of them. */
@Implements(className = "android.os.Debug")
public class DebugShadow extends ShadowDebug {
  /** Of AOSP's {@code Debug.waitForDebugger}. */
  private static final long SPIN_DELAY_MILLIS = 200;

  private static volatile boolean waiting;

  @Implementation
  protected static boolean isDebuggerConnected() {
    return Debugger.isAttached();
  }

  @Implementation
  protected static boolean waitingForDebugger() {
    return waiting;
  }

  @Implementation
  protected static void waitForDebugger() {
    if (Debugger.isAttached()) {
      return;
    }
    System.out.println("Sending WAIT chunk");
    waiting = true;
    try {
      while (!Debugger.isAttached()) {
        Thread.sleep(SPIN_DELAY_MILLIS);
      }
      System.out.println("Debugger has connected");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting = false;
    }
  }
}
