package dev.jugg.vd.instrument;

import android.accessibilityservice.AccessibilityService;
import android.os.SystemClock;
import android.view.InputEvent;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import com.google.gson.JsonObject;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowUiAutomation;

/** A test runner's eyes and fingers on the whole screen, whichever app is in front. */
@Implements(className = "android.app.UiAutomation", isInAndroidSdk = false)
public class UiAutomationShadow extends ShadowUiAutomation {
  private MotionEvent down;

  @Implementation
  protected AccessibilityNodeInfo getRootInActiveWindow() {
    List<AccessibilityWindowInfo> windows = ScreenNodes.windows();
    return windows.isEmpty() ? null : windows.get(0).getRoot();
  }

  @Implementation
  protected AccessibilityNodeInfo getRootInActiveWindow(int prefetching) {
    return getRootInActiveWindow();
  }

  @Implementation
  protected List<AccessibilityWindowInfo> getWindows() {
    return ScreenNodes.windows();
  }

  /** Each request answers when the screen has settled: there is nothing left to wait for. */
  @Implementation
  protected void waitForIdle(long idleMillis, long timeoutMillis) {}

  @Implementation
  protected boolean performGlobalAction(int action) {
    return switch (action) {
      case AccessibilityService.GLOBAL_ACTION_BACK -> key(KeyEvent.KEYCODE_BACK, 0);
      case AccessibilityService.GLOBAL_ACTION_HOME -> key(KeyEvent.KEYCODE_HOME, 0);
      default -> false;
    };
  }

  @Override
  @Implementation
  protected boolean injectInputEvent(InputEvent event, boolean sync) {
    if (event instanceof KeyEvent keyEvent) {
      // A press is one request: the key that comes up again.
      return keyEvent.getAction() != KeyEvent.ACTION_UP || key(keyEvent.getKeyCode(), keyEvent.getMetaState());
    }
    MotionEvent motion = (MotionEvent) event;
    if (motion.getActionMasked() == MotionEvent.ACTION_DOWN) {
      down = MotionEvent.obtain(motion);
    }
    return motion.getActionMasked() != MotionEvent.ACTION_UP || down == null || gesture(motion);
  }

  @Implementation
  protected boolean injectInputEvent(InputEvent event, boolean sync, boolean waitForAnimations) {
    return injectInputEvent(event, sync);
  }

  /** The whole gesture is one request, of the length that it had. */
  private boolean gesture(MotionEvent up) {
    long millis = Math.max(0, SystemClock.uptimeMillis() - down.getDownTime());
    JsonObject params = new JsonObject();
    params.addProperty("x1", down.getX());
    params.addProperty("y1", down.getY());
    params.addProperty("x2", up.getX());
    params.addProperty("y2", up.getY());
    params.addProperty("durationMs", millis);
    down = null;
    return ScreenNodes.handled(Outside.ask("swipe", params));
  }

  private static boolean key(int keyCode, int metaState) {
    JsonObject params = new JsonObject();
    params.addProperty("keyCode", keyCode);
    params.addProperty("metaState", metaState);
    return ScreenNodes.handled(Outside.ask("key", params));
  }
}
