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

  public Touch(Windows windows) {
    this.windows = windows;
  }

  /** Down, and up after {@code durationMs}; then {@code done} with whether a window took it. */
  public void tap(float x, float y, long durationMs, Consumer<Boolean> done) {
    swipe(x, y, x, y, durationMs, done);
  }

  /** Down, moves once a frame, and up at the end of {@code durationMs}. */
  public void swipe(float x1, float y1, float x2, float y2, long durationMs, Consumer<Boolean> done) {
    ShownWindow target = windows.at(x1, y1);
    if (target == null) {
      done.accept(false);
      return;
    }
    Gesture gesture = new Gesture(target, SystemClock.uptimeMillis());
    for (ShownWindow watching : windows.watchingOutside(target)) {
      new Gesture(watching, gesture.downTime).send(MotionEvent.ACTION_OUTSIDE, gesture.downTime, x1, y1);
    }
    gesture.send(MotionEvent.ACTION_DOWN, gesture.downTime, x1, y1);
    boolean moves = x1 != x2 || y1 != y2;
    Handler handler = new Handler(Looper.getMainLooper());
    if (moves) {
      for (long at = FRAME_MILLIS; at < durationMs; at += FRAME_MILLIS) {
        float part = (float) at / durationMs;
        long time = gesture.downTime + at;
        handler.postAtTime(
            () -> gesture.send(MotionEvent.ACTION_MOVE, time, x1 + (x2 - x1) * part, y1 + (y2 - y1) * part), time);
      }
    }
    long end = gesture.downTime + durationMs;
    Runnable last = () -> {
      if (moves) {
        gesture.send(MotionEvent.ACTION_MOVE, end, x2, y2);
      }
      gesture.send(MotionEvent.ACTION_UP, end, x2, y2);
      done.accept(true);
    };
    if (durationMs <= 0) {
      last.run();
    } else {
      handler.postAtTime(last, end);
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
