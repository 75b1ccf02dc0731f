package dev.jugg.vd.input;

import android.view.InputEvent;
import dev.jugg.vd.window.Windows;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowInputManagerGlobal;

/** The input manager of this process: what it injects goes to the windows that are shown. */
@Implements(className = "android.hardware.input.InputManagerGlobal", isInAndroidSdk = false)
public class InputManagerGlobalShadow extends ShadowInputManagerGlobal {
  private static volatile Injection injection;

  /** Events go nowhere before this. */
  public static void connect(Windows windows) {
    injection = new Injection(windows);
  }

  @Implementation
  protected boolean injectInputEvent(InputEvent event, int mode) {
    Injection current = injection;
    return current != null && current.inject(event, mode);
  }

  @Implementation
  protected boolean injectInputEvent(InputEvent event, int mode, int targetUid) {
    return injectInputEvent(event, mode);
  }
}
