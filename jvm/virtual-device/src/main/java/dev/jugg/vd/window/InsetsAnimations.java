package dev.jugg.vd.window;

import android.graphics.Insets;
import android.graphics.Rect;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import android.view.InsetsSource;
import android.view.InsetsState;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.ViewTreeObserver;
import android.view.WindowInsets.Type;
import android.view.WindowInsetsAnimation;
import android.view.WindowManagerGlobal;
import android.view.animation.LinearInterpolator;
import java.util.List;

/**
 * Bars and keyboard come and go at once. Who waits for the callbacks of their animation gets one of each, in their order:
 * prepare, the new insets, start, progress at its end, end.
 */
final class InsetsAnimations {
  private static final int ANIMATED = Type.statusBars() | Type.navigationBars() | Type.ime();
  /** A window that is not drawn hears of the end without a frame. */
  private static final long WITHOUT_FRAME_MS = 500;

  private InsetsAnimations() {}

  /** Before a window is told; the window hears of it through the main looper, in this order. */
  static void begin(IBinder window, InsetsState before, InsetsState after) {
    int types = changed(before, after);
    if (types != 0) {
      Rect screen = SystemBars.now().screen();
      Insets size = after.calculateInsets(screen, types, true);
      main().post(() -> prepare(window, types, size));
    }
  }

  private static int changed(InsetsState before, InsetsState after) {
    int types = 0;
    for (int i = 0; i < after.sourceSize(); i++) {
      InsetsSource now = after.sourceAt(i);
      InsetsSource then = before.peekSource(now.getId());
      if (then != null && then.isVisible() != now.isVisible()) {
        types |= now.getType();
      }
    }
    return types & ANIMATED;
  }

  private static void prepare(IBinder window, int types, Insets size) {
    View view = rootOf(window);
    if (view == null) {
      return;
    }
    WindowInsetsAnimation animation = new WindowInsetsAnimation(types, new LinearInterpolator(), 0);
    view.dispatchWindowInsetsAnimationPrepare(animation);
    new Rest(view, animation, size).await();
  }

  private static View rootOf(IBinder window) {
    for (View view : WindowManagerGlobal.getInstance().getWindowViews()) {
      ViewRootImpl root = view.getViewRootImpl();
      if (root != null && Windows.tokenOf(root) == window) {
        return view;
      }
    }
    return null;
  }

  private static Handler main() {
    return new Handler(Looper.getMainLooper());
  }

  /** What comes after the layout with the new insets. */
  private static final class Rest implements ViewTreeObserver.OnPreDrawListener {
    private final View view;
    private final WindowInsetsAnimation animation;
    private final Insets size;
    private boolean told;

    Rest(View view, WindowInsetsAnimation animation, Insets size) {
      this.view = view;
      this.animation = animation;
      this.size = size;
    }

    void await() {
      view.getViewTreeObserver().addOnPreDrawListener(this);
      main().postDelayed(this::tell, WITHOUT_FRAME_MS);
    }

    @Override
    public boolean onPreDraw() {
      // Not within the traversal: the callbacks may change views.
      main().post(this::tell);
      return true;
    }

    private void tell() {
      if (told) {
        return;
      }
      told = true;
      if (view.getViewTreeObserver().isAlive()) {
        view.getViewTreeObserver().removeOnPreDrawListener(this);
      }
      view.dispatchWindowInsetsAnimationStart(animation, new WindowInsetsAnimation.Bounds(Insets.NONE, size));
      animation.setFraction(1);
      if (view.getRootWindowInsets() != null) {
        view.dispatchWindowInsetsAnimationProgress(view.getRootWindowInsets(), List.of(animation));
      }
      view.dispatchWindowInsetsAnimationEnd(animation);
    }
  }
}
