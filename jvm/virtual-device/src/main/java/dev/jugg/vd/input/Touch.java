package dev.jugg.vd.input;

import android.graphics.Rect;
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.MotionEvent;
import dev.jugg.vd.window.ShownWindow;
import dev.jugg.vd.window.Windows;
import java.util.function.Consumer;

/** Fingers: motion events through the real input stages of the window under them. Main thread only. */
public final class Touch {
  private static final long FRAME_MILLIS = 16;
  private final Windows windows;
  /** Of the finger that {@link #motion} has put down. */
  private Gesture held;

  public Touch(Windows windows) {
    this.windows = windows;
  }

  /** Down, and up after {@code durationMs}; then {@code done} with whether a window took it. */
  public void tap(float x, float y, long durationMs, Consumer<Boolean> done) {
    swipe(x, y, x, y, 0, durationMs, done);
  }

  /** Down, {@code holdMs} of rest, then moves once a frame, and up after {@code durationMs} of them. */
  public void swipe(
      float x1, float y1, float x2, float y2, long holdMs, long durationMs, Consumer<Boolean> done) {
    Gesture gesture = down(x1, y1);
    if (gesture == null) {
      done.accept(false);
      return;
    }
    Path path = new Path(gesture, x1, y1, x2, y2, durationMs);
    if (holdMs == 0) {
      path.follow(gesture.downTime, done);
    } else {
      // Like the tool on a device, which rests when the app is done with the finger: a press that the app
      // noticed late is a long one all the same.
      mainHandler().post(() -> path.follow(SystemClock.uptimeMillis() + holdMs, done));
    }
  }

  /** One event of a finger that stays down between calls; false when there is none, or nothing under it. */
  public boolean motion(int action, float x, float y) {
    if (action == MotionEvent.ACTION_DOWN) {
      held = down(x, y);
      return held != null;
    }
    Gesture finger = held;
    if (finger == null) {
      return false;
    }
    if (action != MotionEvent.ACTION_MOVE) {
      held = null;
    }
    finger.send(action, SystemClock.uptimeMillis(), x, y);
    return true;
  }

  /** Null when no window is there. */
  private Gesture down(float x, float y) {
    ShownWindow target = windows.at(x, y);
    if (target == null) {
      return null;
    }
    Gesture gesture = new Gesture(target, SystemClock.uptimeMillis());
    for (ShownWindow watching : windows.watchingOutside(target)) {
      new Gesture(watching, gesture.downTime).send(MotionEvent.ACTION_OUTSIDE, gesture.downTime, x, y);
    }
    gesture.send(MotionEvent.ACTION_DOWN, gesture.downTime, x, y);
    return gesture;
  }

  private static Handler mainHandler() {
    return new Handler(Looper.getMainLooper());
  }

  private record Path(Gesture gesture, float x1, float y1, float x2, float y2, long durationMs) {
    /** Sends what follows the finger's coming down; {@code begin} is on the clock of {@link SystemClock}. */
    void follow(long begin, Consumer<Boolean> done) {
      Handler handler = mainHandler();
      boolean moves = x1 != x2 || y1 != y2;
      for (long at = FRAME_MILLIS; moves && at < durationMs; at += FRAME_MILLIS) {
        float part = (float) at / durationMs;
        long time = begin + at;
        handler.postAtTime(
            () -> gesture.send(MotionEvent.ACTION_MOVE, time, x1 + (x2 - x1) * part, y1 + (y2 - y1) * part), time);
      }
      long end = begin + durationMs;
      Runnable last = () -> {
        if (moves) {
          gesture.send(MotionEvent.ACTION_MOVE, end, x2, y2);
        }
        gesture.send(MotionEvent.ACTION_UP, end, x2, y2);
        done.accept(true);
      };
      if (end <= gesture.downTime) {
        last.run();
      } else {
        handler.postAtTime(last, end);
      }
    }
  }

  private record Gesture(ShownWindow window, long downTime) {
    /** Screen coordinates; the window gets its own. */
    void send(int action, long time, float x, float y) {
      if (window.view() == null) {
        // The window went away under the finger.
        return;
      }
      MotionEvent event = MotionEvent.obtain(downTime, time, action, x, y, 0);
      event.setSource(InputDevice.SOURCE_TOUCHSCREEN);
      Rect bounds = window.bounds();
      event.offsetLocation(-bounds.left, -bounds.top);
      window.root().dispatchInputEvent(event);
    }
  }
}
