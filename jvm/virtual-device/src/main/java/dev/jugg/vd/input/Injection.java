package dev.jugg.vd.input;

import android.graphics.Rect;
import android.os.Handler;
import android.os.Looper;
import android.view.InputEvent;
import android.view.KeyEvent;
import android.view.MotionEvent;
import dev.jugg.vd.window.ShownWindow;
import dev.jugg.vd.window.Windows;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Events that the app's own process injects: what test runners do (Instrumentation.sendPointerSync, Espresso). */
final class Injection {
  /** InputEventInjectionSync.NONE: nobody waits. */
  private static final int ASYNC = 0;
  /** Of AOSP's input dispatcher, for an injected event. */
  private static final long TIMEOUT_SECONDS = 30;

  private final Windows windows;
  private final Handler main = new Handler(Looper.getMainLooper());
  /** The window under the finger that is down; main thread only. */
  private ShownWindow touched;

  Injection(Windows windows) {
    this.windows = windows;
  }

  /** Answers whether the event had a window to go to; without waiting it is believed to. */
  boolean inject(InputEvent event, int mode) {
    CountDownLatch done = new CountDownLatch(1);
    boolean[] delivered = {true};
    main.post(() -> {
      delivered[0] = deliver(event);
      // The event is a message of its own, sent before this one.
      main.post(done::countDown);
    });
    if (mode == ASYNC || Looper.myLooper() == Looper.getMainLooper()) {
      return true;
    }
    try {
      return done.await(TIMEOUT_SECONDS, TimeUnit.SECONDS) && delivered[0];
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean deliver(InputEvent event) {
    windows.updateFocus();
    if (event instanceof KeyEvent) {
      ShownWindow focused = windows.focusedWindow();
      if (focused != null) {
        focused.root().dispatchInputEvent(event);
      }
      return focused != null;
    }
    MotionEvent motion = (MotionEvent) event;
    if (motion.getActionMasked() == MotionEvent.ACTION_DOWN || touched == null) {
      touched = windows.at(motion.getX(), motion.getY());
    }
    if (touched == null || touched.view() == null) {
      return false;
    }
    Rect bounds = touched.bounds();
    MotionEvent own = MotionEvent.obtain(motion);
    own.offsetLocation(-bounds.left, -bounds.top);
    touched.root().dispatchInputEvent(own);
    if (motion.getActionMasked() == MotionEvent.ACTION_UP) {
      touched = null;
    }
    return true;
  }
}
