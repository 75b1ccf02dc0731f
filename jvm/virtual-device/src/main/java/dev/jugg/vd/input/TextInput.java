package dev.jugg.vd.input;

import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import dev.jugg.vd.window.ShownWindow;
import dev.jugg.vd.window.Windows;

/** Text as an input method commits it. Main thread only. */
public final class TextInput {
  private final Windows windows;
  private final Keys keys;

  public TextInput(Windows windows, Keys keys) {
    this.windows = windows;
    this.keys = keys;
  }

  /** Commits to the focused editor; without one the text comes as keys. Answers whether somebody took it. */
  public boolean commit(String text) {
    windows.updateFocus();
    ShownWindow window = windows.focusedWindow();
    View focused = window == null ? null : window.view().findFocus();
    if (focused == null || !focused.onCheckIsTextEditor()) {
      return keys.type(text);
    }
    InputConnection connection = focused.onCreateInputConnection(new EditorInfo());
    return connection != null && connection.commitText(text, 1);
  }
}
