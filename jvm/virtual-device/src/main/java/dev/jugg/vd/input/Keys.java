package dev.jugg.vd.input;

import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.View;
import android.view.ViewConfiguration;
import android.view.ViewRootImpl;
import dev.jugg.vd.window.ScreenLayout;
import dev.jugg.vd.window.ShownWindow;
import dev.jugg.vd.window.SoftKeyboard;
import dev.jugg.vd.window.Windows;
import java.util.function.Consumer;

/** Keys through the real input stages of the focused window. Main thread only. */
public final class Keys {
  private final Windows windows;

  public Keys(Windows windows) {
    this.windows = windows;
  }

  /** Then {@code done} with whether a window had the focus. */
  public void press(int keyCode, int metaState, boolean longPress, Consumer<Boolean> done) {
    windows.updateFocus();
    ShownWindow target = windows.focusedWindow();
    if (target == null) {
      done.accept(false);
      return;
    }
    ViewRootImpl root = target.root();
    long down = SystemClock.uptimeMillis();
    if (keyCode == KeyEvent.KEYCODE_BACK && hidesKeyboard(target, down)) {
      done.accept(true);
      return;
    }
    root.dispatchInputEvent(event(down, down, KeyEvent.ACTION_DOWN, keyCode, 0, metaState, 0));
    if (!longPress) {
      root.dispatchInputEvent(event(down, down, KeyEvent.ACTION_UP, keyCode, 0, metaState, 0));
      done.accept(true);
      return;
    }
    // As `input keyevent --longpress`: the repeat that carries the flag comes after the system's timeout.
    long later = down + ViewConfiguration.getLongPressTimeout();
    new Handler(Looper.getMainLooper()).postAtTime(() -> {
      root.dispatchInputEvent(
          event(down, later, KeyEvent.ACTION_DOWN, keyCode, 1, metaState, KeyEvent.FLAG_LONG_PRESS));
      root.dispatchInputEvent(event(down, later, KeyEvent.ACTION_UP, keyCode, 0, metaState, 0));
      done.accept(true);
    }, later);
  }

  /** The soft keyboard takes BACK before the app does, but for views that want keys before it. */
  private static boolean hidesKeyboard(ShownWindow target, long time) {
    if (!ScreenLayout.instance().isKeyboardShown()) {
      return false;
    }
    View view = target.view();
    boolean taken = view.dispatchKeyEventPreIme(event(time, time, KeyEvent.ACTION_DOWN, KeyEvent.KEYCODE_BACK, 0, 0, 0));
    taken |= view.dispatchKeyEventPreIme(event(time, time, KeyEvent.ACTION_UP, KeyEvent.KEYCODE_BACK, 0, 0, 0));
    return taken || SoftKeyboard.instance().hide();
  }

  /** The text as the keys of a hardware keyboard; false when there is no focused window or a character has no key. */
  boolean type(String text) {
    ShownWindow target = windows.focusedWindow();
    KeyEvent[] events =
        KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD).getEvents(text.toCharArray());
    if (target == null || events == null) {
      return false;
    }
    for (KeyEvent event : events) {
      target.root().dispatchInputEvent(KeyEvent.changeTimeRepeat(event, SystemClock.uptimeMillis(), 0));
    }
    return true;
  }

  private static KeyEvent event(
      long down, long time, int action, int keyCode, int repeat, int metaState, int flags) {
    return new KeyEvent(
        down,
        time,
        action,
        keyCode,
        repeat,
        metaState,
        KeyCharacterMap.VIRTUAL_KEYBOARD,
        0,
        flags | KeyEvent.FLAG_FROM_SYSTEM,
        InputDevice.SOURCE_KEYBOARD);
  }
}
