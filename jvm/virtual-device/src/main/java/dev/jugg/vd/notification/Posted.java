package dev.jugg.vd.notification;

import android.app.Notification;
import android.app.NotificationManager;
import android.content.Context;
import android.os.Build;
import org.robolectric.shadow.api.Shadow;

/** What the system posts for an app. */
public final class Posted {
  private Posted() {}

  /** Whether its channel is there; who targets something older than Android 8 needs none. */
  public static boolean hasChannel(Context context, Notification notification) {
    String id = notification.getChannelId();
    if (context.getApplicationInfo().targetSdkVersion < Build.VERSION_CODES.O) {
      return true;
    }
    return id != null && context.getSystemService(NotificationManager.class).getNotificationChannel(id) != null;
  }

  /** Of a foreground service: whatever the user has said to notifications. */
  public static void always(Context context, int id, Notification notification) {
    shadow(context).post(id, notification);
  }

  public static void cancel(Context context, int id) {
    context.getSystemService(NotificationManager.class).cancel(id);
  }

  private static NotificationManagerShadow shadow(Context context) {
    return Shadow.extract(context.getSystemService(NotificationManager.class));
  }
}
