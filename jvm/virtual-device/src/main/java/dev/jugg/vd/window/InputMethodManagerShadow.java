package dev.jugg.vd.window;

import android.os.IBinder;
import android.os.ResultReceiver;
import android.view.View;
import android.view.inputmethod.InputMethodManager;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowInputMethodManager;

/** The app's way to the soft keyboard. All its calls end in the few that are overridden here. */
@Implements(className = "android.view.inputmethod.InputMethodManager", isInAndroidSdk = false)
public class InputMethodManagerShadow extends ShadowInputMethodManager {
  @Override
  protected boolean showSoftInput(View view, int flags, ResultReceiver receiver) {
    ScreenLayout layout = ScreenLayout.instance();
    boolean before = layout.isKeyboardShown();
    boolean served = SoftKeyboard.instance().show(view);
    if (served) {
      tell(receiver, before ? InputMethodManager.RESULT_UNCHANGED_SHOWN : InputMethodManager.RESULT_SHOWN);
    }
    return served;
  }

  @Override
  @Implementation
  protected boolean hideSoftInputFromWindow(IBinder window, int flags, ResultReceiver receiver) {
    boolean hidden = SoftKeyboard.instance().hide(window);
    tell(receiver, hidden ? InputMethodManager.RESULT_HIDDEN : InputMethodManager.RESULT_UNCHANGED_HIDDEN);
    return hidden;
  }

  @Implementation
  protected boolean hideSoftInputFromView(View view, int flags) {
    return hideSoftInputFromWindow(view.getWindowToken(), flags, null);
  }

  @Override
  @Implementation
  protected void toggleSoftInput(int showFlags, int hideFlags) {
    SoftKeyboard keyboard = SoftKeyboard.instance();
    if (!keyboard.hide()) {
      keyboard.show(keyboard.focusedEditor());
    }
  }

  @Override
  public boolean isSoftInputVisible() {
    return ScreenLayout.instance().isKeyboardShown();
  }

  @Override
  @Implementation
  protected boolean isActive() {
    return SoftKeyboard.instance().focusedEditor() != null;
  }

  @Override
  @Implementation
  protected boolean isActive(View view) {
    return view != null && SoftKeyboard.instance().focusedEditor() == view;
  }

  @Implementation
  protected boolean isAcceptingText() {
    return isActive();
  }

  private static void tell(ResultReceiver receiver, int result) {
    if (receiver != null) {
      receiver.send(result, null);
    }
  }
}
