package dev.jugg.vd.window;

import android.app.Application;
import android.app.KeyguardManager;
import android.os.PowerManager;
import com.google.gson.JsonObject;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowKeyguardManager;
import org.robolectric.shadows.ShadowPowerManager;

/** Whether the device's screen is on, and what is known of its lock; the daemon says it. */
public final class ScreenState {
  private static volatile boolean awake = true;
  private static volatile boolean locked;
  private static volatile boolean secure;

  private ScreenState() {}

  static boolean isAwake() {
    return awake;
  }

  /** The lock screen is there, seen or with an activity over it. */
  static boolean isLocked() {
    return locked;
  }

  /** It asks for a PIN or a password. */
  static boolean isSecure() {
    return secure;
  }

  /** For what is created from now on; {@link #tell} when the framework is up. */
  public static void set(JsonObject screen) {
    awake = screen.get("awake").getAsBoolean();
    locked = screen.get("locked").getAsBoolean();
    secure = screen.get("secure").getAsBoolean();
  }

  /** From now on KeyguardManager and PowerManager say so. */
  public static void tell(Application app) {
    ShadowKeyguardManager keyguard = Shadow.extract(app.getSystemService(KeyguardManager.class));
    keyguard.setKeyguardLocked(locked);
    keyguard.setInRestrictedInputMode(locked);
    keyguard.setIsKeyguardSecure(secure);
    keyguard.setIsDeviceSecure(secure);
    // A swipe is no lock of the device.
    keyguard.setIsDeviceLocked(locked && secure);
    ShadowPowerManager power = Shadow.extract(app.getSystemService(PowerManager.class));
    power.setIsInteractive(awake);
  }

  /** Main thread only. */
  public static void change(JsonObject screen) {
    set(screen);
    tell(RuntimeEnvironment.getApplication());
  }
}
