package dev.jugg.vd.time;

import java.time.Duration;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowPausedSystemClock;
import org.robolectric.shadows.ShadowSystemClock;

/**
 * Android's clocks are the machine's: they also run while a handler works. Robolectric keeps a clock of its own that
 * others of its classes read (frames); {@link #sync} brings it to the same time.
 */
@Implements(className = "android.os.SystemClock", isInAndroidSdk = false)
public class SystemClockShadow extends ShadowPausedSystemClock {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Advances Robolectric's clock to now; due frames are sent on the way. */
  public static void sync() {
    long behind = System.nanoTime() - ShadowPausedSystemClock.uptimeNanos();
    if (behind > 0) {
      ShadowSystemClock.advanceBy(Duration.ofNanos(behind));
    }
  }

  @Implementation
  protected static void sleep(long millis) {
    long end = System.nanoTime() + millis * NANOS_PER_MILLI;
    boolean interrupted = false;
    for (long left = millis; left > 0; left = (end - System.nanoTime()) / NANOS_PER_MILLI) {
      try {
        Thread.sleep(left);
      } catch (InterruptedException e) {
        // As on Android: the sleep goes on and the interrupt is kept.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Implementation
  protected static boolean setCurrentTimeMillis(long millis) {
    return false;
  }

  @Implementation
  protected static long uptimeMillis() {
    return System.nanoTime() / NANOS_PER_MILLI;
  }

  @Implementation
  protected static long uptimeNanos() {
    return System.nanoTime();
  }

  @Implementation
  protected static long elapsedRealtime() {
    return System.nanoTime() / NANOS_PER_MILLI;
  }

  @Implementation
  protected static long elapsedRealtimeNanos() {
    return System.nanoTime();
  }

  @Implementation
  protected static long currentThreadTimeMillis() {
    return System.nanoTime() / NANOS_PER_MILLI;
  }
}
