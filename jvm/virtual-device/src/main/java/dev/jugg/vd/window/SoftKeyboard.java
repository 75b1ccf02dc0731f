package dev.jugg.vd.window;

import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import android.view.IWindow;
import android.view.InsetsController;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.WindowInsets.Type;
import android.view.WindowManager.LayoutParams;
import org.robolectric.util.ReflectionHelpers;

/**
 * When the soft keyboard is on the screen, as AOSP's {@code ImeVisibilityStateComputer} decides. Apps see its insets; its
 * keys do nothing: text comes from the daemon.
 */
public final class SoftKeyboard {
  private static final SoftKeyboard INSTANCE = new SoftKeyboard();

  private final ScreenLayout layout = ScreenLayout.instance();
  /** The window that has the focus, or null. */
  private volatile ViewRootImpl focused;

  private SoftKeyboard() {}

  public static SoftKeyboard instance() {
    return INSTANCE;
  }

  /** Another window has the focus, or none; its mode says whether the keyboard comes. Main thread only. */
  void focusMoved(ViewRootImpl root) {
    focused = root;
    if (root == null) {
      layout.setKeyboardTarget(null);
      return;
    }
    // After the window has heard of it itself: only then one of its views has the focus.
    new Handler(Looper.getMainLooper()).post(() -> {
      if (root == focused && root.getView() != null) {
        applyMode(root);
      }
    });
  }

  private void applyMode(ViewRootImpl root) {
    LayoutParams attributes = root.mWindowAttributes;
    int mode = attributes.softInputMode;
    boolean forward = (mode & LayoutParams.SOFT_INPUT_IS_FORWARD_NAVIGATION) != 0;
    boolean editor = focusedEditor() != null;
    boolean resizes = (mode & LayoutParams.SOFT_INPUT_MASK_ADJUST) == LayoutParams.SOFT_INPUT_ADJUST_RESIZE;
    switch (mode & LayoutParams.SOFT_INPUT_MASK_STATE) {
      case LayoutParams.SOFT_INPUT_STATE_VISIBLE -> set(root, editor && forward || asked(root));
      case LayoutParams.SOFT_INPUT_STATE_ALWAYS_VISIBLE -> set(root, editor || asked(root));
      case LayoutParams.SOFT_INPUT_STATE_HIDDEN -> set(root, !forward && asked(root));
      case LayoutParams.SOFT_INPUT_STATE_ALWAYS_HIDDEN -> set(root, false);
      case LayoutParams.SOFT_INPUT_STATE_UNCHANGED -> set(root, layout.isKeyboardShown() || asked(root));
      default -> {
        if (asked(root) || LayoutParams.mayUseInputMethod(attributes.flags)) {
          set(root, asked(root) || (editor && resizes && forward));
        }
      }
    }
  }

  private boolean asked(ViewRootImpl root) {
    return layout.requestsKeyboard(Windows.tokenOf(root));
  }

  /** An app asks for it for one of its views; answers whether it is served. */
  boolean show(View view) {
    ViewRootImpl root = view == null ? null : view.getViewRootImpl();
    if (root == null || root != focused || focusedEditor() != view) {
      return false;
    }
    set(root, true);
    return true;
  }

  /** Answers whether it was there. */
  public boolean hide() {
    ViewRootImpl root = focused;
    if (root == null || !layout.isKeyboardShown()) {
      return false;
    }
    set(root, false);
    return true;
  }

  /** As {@link #hide}, when the window with this token is the one it types into. */
  boolean hide(IBinder windowToken) {
    return windowToken != null && windowToken == layout.keyboardTarget() && hide();
  }

  /** The window's own insets controller wants these types visible. */
  void requested(IWindow window, int types) {
    layout.request(window, types);
    if (focused != null && Windows.tokenOf(focused) == window.asBinder()) {
      layout.setKeyboardTarget((types & Type.ime()) == 0 ? null : window.asBinder());
    }
  }

  /** The view of the focused window that takes text, or null. */
  View focusedEditor() {
    ViewRootImpl root = focused;
    View view = root == null || root.getView() == null ? null : root.getView().findFocus();
    return view != null && view.onCheckIsTextEditor() ? view : null;
  }

  /** The client's controller has to know, or it would take a later wish for one that is fulfilled already. */
  private void set(ViewRootImpl root, boolean shown) {
    InsetsController controller = root.getInsetsController();
    controller.setRequestedVisibleTypes(shown ? Type.ime() : 0, Type.ime());
    ReflectionHelpers.callInstanceMethod(controller, "reportRequestedVisibleTypes");
    layout.setKeyboardTarget(shown ? Windows.tokenOf(root) : null);
  }
}
