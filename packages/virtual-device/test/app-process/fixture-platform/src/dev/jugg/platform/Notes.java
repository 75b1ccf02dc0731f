package dev.jugg.platform;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.content.Context;
import android.service.notification.StatusBarNotification;
import android.util.Log;

/** Notifications that a phone shows, refuses, and drops. */
final class Notes {
  static final String CHANNEL = "known";

  private Notes() {}

  static Notification.Builder builder(Context context, String channel) {
    NotificationManager manager = context.getSystemService(NotificationManager.class);
    manager.createNotificationChannel(
        new NotificationChannel(CHANNEL, "Known", NotificationManager.IMPORTANCE_DEFAULT));
    return new Notification.Builder(context, channel).setSmallIcon(android.R.drawable.ic_dialog_info);
  }

  static String posted(Context context) {
    StringBuilder ids = new StringBuilder();
    for (StatusBarNotification each : context.getSystemService(NotificationManager.class).getActiveNotifications()) {
      ids.append(each.getId()).append(' ');
    }
    return ids.toString().trim();
  }

  static void post(Context context) {
    NotificationManager manager = context.getSystemService(NotificationManager.class);
    Log.i(PlatformActivity.TAG, "notes enabled " + manager.areNotificationsEnabled());
    try {
      builder(context, CHANNEL);
      manager.notify(6, new Notification.Builder(context, CHANNEL).build());
    } catch (IllegalArgumentException e) {
      Log.i(PlatformActivity.TAG, "notes " + e.getMessage());
    }
    manager.notify(7, builder(context, "unknown").build());
    manager.notify(8, builder(context, CHANNEL).build());
    Log.i(PlatformActivity.TAG, "notes posted " + posted(context));
  }
}
