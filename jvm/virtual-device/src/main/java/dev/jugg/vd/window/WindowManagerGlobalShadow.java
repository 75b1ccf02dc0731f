package dev.jugg.vd.window;

import android.graphics.Rect;
import android.view.WindowManager.LayoutParams;
import android.view.WindowRelayoutResult;
import dev.jugg.vd.config.ScreenConfiguration;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowWindowManagerGlobal;

/**
 * Places windows that belong to a window (popups, drop-down lists) relative to it, as the window manager does; Robolectric
 * takes their place for one on the screen.
 */
@Implements(className = "android.view.WindowManagerGlobal", isInAndroidSdk = false)
public class WindowManagerGlobalShadow extends ShadowWindowManagerGlobal {
  @Override
  protected WindowSessionDelegate createWindowSessionDelegate() {
    return new Session();
  }

  private static final class Session extends WindowSessionDelegate {
    @Override
    protected int addToDisplay(Object[] arguments) {
      int result = super.addToDisplay(arguments);
      Rect parent = parentFrame(arguments);
      Rect attachedFrame = first(Rect.class, arguments);
      if (parent != null && attachedFrame != null) {
        // The client lays some changes out itself and wants to know this for it.
        attachedFrame.set(parent);
      }
      place(arguments, parent);
      return result;
    }

    @Override
    protected int relayout(Object[] arguments) {
      int result = super.relayout(arguments);
      place(arguments, parentFrame(arguments));
      return result;
    }

    private static Rect parentFrame(Object[] arguments) {
      LayoutParams attributes = first(LayoutParams.class, arguments);
      boolean isChild = attributes != null
          && attributes.type >= LayoutParams.FIRST_SUB_WINDOW
          && attributes.type <= LayoutParams.LAST_SUB_WINDOW;
      return isChild ? Windows.frameOf(attributes.token) : null;
    }

    private static void place(Object[] arguments, Rect parent) {
      WindowRelayoutResult answer = first(WindowRelayoutResult.class, arguments);
      if (parent == null || answer == null) {
        return;
      }
      Rect frame = answer.frames.frame;
      ScreenConfiguration screen = ScreenConfiguration.current();
      frame.offset(parent.left, parent.top);
      // Kept on the screen, as Gravity.applyDisplay does.
      frame.offset(Math.min(0, screen.widthPx() - frame.right), Math.min(0, screen.heightPx() - frame.bottom));
      frame.offset(Math.max(0, -frame.left), Math.max(0, -frame.top));
    }

    private static <T> T first(Class<T> type, Object[] arguments) {
      for (Object argument : arguments) {
        if (type.isInstance(argument)) {
          return type.cast(argument);
        }
      }
      return null;
    }
  }
}
