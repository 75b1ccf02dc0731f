package dev.jugg.platform;

import android.app.Notification;
import android.app.Service;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.os.IBinder;
import android.util.Log;

/** Comes to the foreground in ways that are right and wrong; its own has no type. */
public class FrontService extends Service {
  private static final int[] TYPES = {
    ServiceInfo.FOREGROUND_SERVICE_TYPE_MANIFEST,
    ServiceInfo.FOREGROUND_SERVICE_TYPE_NONE,
    ServiceInfo.FOREGROUND_SERVICE_TYPE_CAMERA,
    ServiceInfo.FOREGROUND_SERVICE_TYPE_DATA_SYNC,
    ServiceInfo.FOREGROUND_SERVICE_TYPE_SPECIAL_USE,
  };

  public static final class Typed extends FrontService {}

  @Override
  public int onStartCommand(Intent intent, int flags, int startId) {
    if (intent.getBooleanExtra("stop", false)) {
      stopSelf();
      return START_NOT_STICKY;
    }
    String name = getClass().getSimpleName();
    Notification notification = Notes.builder(this, Notes.CHANNEL).build();
    for (int type : TYPES) {
      try {
        startForeground(1, notification, type);
        Log.i(PlatformActivity.TAG, "front " + name + " " + type + " is " + getForegroundServiceType());
      } catch (RuntimeException e) {
        Log.i(PlatformActivity.TAG, "front " + name + " " + type + " " + e);
      }
    }
    Log.i(PlatformActivity.TAG, "front " + name + " posted " + Notes.posted(this));
    stopForeground(STOP_FOREGROUND_REMOVE);
    Log.i(PlatformActivity.TAG, "front " + name + " then " + Notes.posted(this) + " " + getForegroundServiceType());
    stopSelf();
    return START_NOT_STICKY;
  }

  @Override
  public IBinder onBind(Intent intent) {
    return null;
  }
}
