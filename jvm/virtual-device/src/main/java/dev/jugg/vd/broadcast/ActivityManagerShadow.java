package dev.jugg.vd.broadcast;

import android.app.IActivityManager;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowActivityManager;

/** The framework's own code sends and receives broadcasts, and asks {@link BroadcastCalls}. */
@Implements(className = "android.app.ActivityManager", isInAndroidSdk = false)
public class ActivityManagerShadow extends ShadowActivityManager {
  @Implementation
  protected static IActivityManager getService() {
    return BroadcastCalls.MANAGER;
  }
}
