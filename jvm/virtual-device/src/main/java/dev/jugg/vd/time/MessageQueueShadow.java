package dev.jugg.vd.time;

import android.os.Looper;
import android.os.MessageQueue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.robolectric.annotation.Filter;
import org.robolectric.annotation.Filter.Order;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowPausedMessageQueue;
import org.robolectric.util.ReflectionHelpers;

/**
 * The native half of a message queue over the machine's clock: a looper that waits for a delayed message wakes by itself
 * (Robolectric's waits until a test moves its clock). The main looper's wait also paces frames, see {@link MainLoop}.
 */
@Implements(className = "android.os.MessageQueue", isInAndroidSdk = false)
public class MessageQueueShadow extends ShadowPausedMessageQueue {
  private static final Map<Long, MessageQueueShadow> BY_POINTER = new ConcurrentHashMap<>();

  @RealObject private MessageQueue queue;
  private final Object lock = new Object();
  private boolean wakePending;
  private boolean polling;

  @Override
  @Filter(order = Order.AFTER)
  protected void __constructor__(boolean quitAllowed) {
    super.__constructor__(quitAllowed);
    BY_POINTER.put(ReflectionHelpers.<Long>getField(queue, "mPtr"), this);
  }

  @Implementation
  protected static void nativeDestroy(long pointer) {
    BY_POINTER.remove(pointer);
    ShadowPausedMessageQueue.nativeDestroy(pointer);
  }

  /** {@code timeoutMillis}: 0 answers at once, -1 waits until woken. */
  @Override
  @Implementation
  protected void nativePollOnce(long pointer, int timeoutMillis) {
    Looper main = Looper.getMainLooper();
    if (main != null && main.getQueue() == queue) {
      MainLoop.pollOnce(this, timeoutMillis);
    } else {
      await(timeoutMillis);
    }
  }

  /**
   * Waits at most {@code timeoutMillis} (negative: without limit) or until woken. Not ended by an interrupt, as a native
   * poll is not; the thread stays interrupted.
   */
  void await(long timeoutMillis) {
    boolean interrupted = Thread.interrupted();
    synchronized (lock) {
      polling = true;
      long end = System.nanoTime() + timeoutMillis * 1_000_000;
      while (!wakePending && timeoutMillis != 0) {
        long left = (end - System.nanoTime() + 999_999) / 1_000_000;
        if (timeoutMillis > 0 && left <= 0) {
          break;
        }
        try {
          lock.wait(timeoutMillis < 0 ? 0 : left);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      polling = false;
      wakePending = false;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether somebody woke this queue since it last waited. */
  boolean isWakePending() {
    synchronized (lock) {
      return wakePending;
    }
  }

  @Implementation
  protected static void nativeWake(long pointer) {
    MessageQueueShadow shadow = BY_POINTER.get(pointer);
    if (shadow == null) {
      return;
    }
    synchronized (shadow.lock) {
      shadow.wakePending = true;
      shadow.lock.notifyAll();
    }
  }

  @Implementation
  protected static boolean nativeIsPolling(long pointer) {
    MessageQueueShadow shadow = BY_POINTER.get(pointer);
    return shadow != null && shadow.isPolling();
  }

  @Override
  @Implementation
  protected boolean isPolling() {
    synchronized (lock) {
      return polling;
    }
  }
}
