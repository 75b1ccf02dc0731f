package dev.jugg.vd.notification;

import android.Manifest;
import android.app.Application;
import android.app.Notification;
import android.content.Context;
import android.content.pm.PackageManager;
import android.graphics.drawable.Icon;
import android.os.Build;
import android.os.Process;
import android.util.Log;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowNotificationManager;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * Refuses and drops what a phone refuses and drops (AOSP {@code NotificationManager.fixNotification},
 * {@code NotificationManagerService.enqueueNotificationInternal}); the rest is kept, and nobody sees it.
 */
@Implements(className = "android.app.NotificationManager", isInAndroidSdk = false)
public class NotificationManagerShadow extends ShadowNotificationManager {
  private static final String TAG = "NotificationService";

  @Override
  @Implementation
  protected void notify(int id, Notification notification) {
    notify(null, id, notification);
  }

  @Override
  @Implementation
  protected void notify(String tag, int id, Notification notification) {
    Application app = RuntimeEnvironment.getApplication();
    String packageName = app.getPackageName();
    if (notification.getSmallIcon() == null && notification.icon != 0) {
      Icon icon = Icon.createWithResource(packageName, notification.icon);
      ReflectionHelpers.callInstanceMethod(notification, "setSmallIcon", ClassParameter.from(Icon.class, icon));
    }
    if (app.getApplicationInfo().targetSdkVersion > Build.VERSION_CODES.LOLLIPOP_MR1
        && notification.getSmallIcon() == null) {
      throw new IllegalArgumentException("Invalid notification (no valid small icon): " + notification);
    }
    if (!Posted.hasChannel(app, notification)) {
      Log.e(
          TAG,
          "No Channel found for pkg=" + packageName + ", channelId=" + notification.getChannelId() + ", id=" + id
              + ", tag=" + tag + ", opPkg=" + packageName + ", callingUid=" + Process.myUid()
              + ", userId=0, incomingUserId=0, notificationUid=" + Process.myUid() + ", notification=" + notification);
      return;
    }
    if (!areNotificationsEnabled()) {
      Log.e(TAG, "Suppressing notification from package " + packageName + " by user request.");
      return;
    }
    super.notify(tag, id, notification);
  }

  /**
   * From a target of 33 on the user is asked for the permission. For older ones a phone asks by itself, as soon as they
   * have a channel: here that counts as answered with yes.
   */
  @Override
  @Implementation
  protected boolean areNotificationsEnabled() {
    Context app = RuntimeEnvironment.getApplication();
    return super.areNotificationsEnabled()
        && (app.getApplicationInfo().targetSdkVersion < Build.VERSION_CODES.TIRAMISU
            || app.checkSelfPermission(Manifest.permission.POST_NOTIFICATIONS) == PackageManager.PERMISSION_GRANTED);
  }

  void post(int id, Notification notification) {
    super.notify(null, id, notification);
  }
}
