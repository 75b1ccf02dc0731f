package dev.jugg.vd.time;

import android.os.Looper;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowChoreographer;

/**
 * The main looper's wait: the framework's own loop runs, and where it would wait for the kernel it comes here. Paces
 * frames, and has the window manager's and the daemon's needs looked at whenever there is nothing else to do.
 */
public final class MainLoop {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Work between messages. */
  public interface IdleWork {
    /** The looper has nothing to do now; may post messages. */
    void idle();
  }

  private static volatile IdleWork idleWork = () -> {};
  private static final Settle SETTLE = new Settle();

  private MainLoop() {}

  public static void setIdleWork(IdleWork work) {
    idleWork = work;
  }

  public static Settle settle() {
    return SETTLE;
  }

  /** Runs until a handler throws; the throwable is the app's. */
  public static void run() {
    Shadow.directlyOn(Looper.class, "loop");
  }

  /** {@code timeoutMillis}: until the next message is due; 0 when one may be due already, -1 when there is none. */
  static void pollOnce(MessageQueueShadow queue, int timeoutMillis) {
    sendDueFrame();
    if (timeoutMillis == 0 || queue.isWakePending()) {
      SETTLE.busy();
      queue.await(0);
      return;
    }
    idleWork.idle();
    if (queue.isWakePending()) {
      queue.await(0);
      return;
    }
    long toFrame = millisToFrame();
    SETTLE.idle(timeoutMillis, toFrame);
    queue.await(earlier(earlier(timeoutMillis, toFrame), SETTLE.millisToNextLook()));
    sendDueFrame();
  }

  private static void sendDueFrame() {
    long frame = ShadowChoreographer.getNextVsyncTimeNanos();
    if (frame != 0 && System.nanoTime() >= frame) {
      SystemClockShadow.sync();
    }
  }

  /** -1 when no frame is asked for. */
  private static long millisToFrame() {
    long frame = ShadowChoreographer.getNextVsyncTimeNanos();
    if (frame == 0) {
      return -1;
    }
    return Math.max(1, (frame - System.nanoTime() + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
  }

  private static long earlier(long a, long b) {
    if (a < 0 || b < 0) {
      return Math.max(a, b);
    }
    return Math.min(a, b);
  }
}
