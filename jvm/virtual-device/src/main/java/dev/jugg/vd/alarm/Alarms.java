package dev.jugg.vd.alarm;

import android.app.AlarmManager;
import android.app.Application;
import android.app.IAlarmCompleteListener;
import android.app.IAlarmListener;
import android.app.PendingIntent;
import android.content.pm.PackageManager;
import android.os.Build;
import android.os.Handler;
import android.os.Looper;
import android.os.RemoteException;
import android.os.SystemClock;
import android.util.Log;
import dev.jugg.vd.am.Proxies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

/** The alarms of this process: they come while it lives. */
final class Alarms {
  /** {@code AlarmManager.WINDOW_EXACT} */
  private static final long EXACT = 0;

  private static final List<Alarm> ALARMS = new ArrayList<>();

  private record Alarm(
      int type,
      long trigger,
      long interval,
      PendingIntent operation,
      IAlarmListener listener,
      AlarmManager.AlarmClockInfo clock) {
    /** In ms from now; 0 for one that is due. */
    long delay() {
      boolean isWallClock = type == AlarmManager.RTC || type == AlarmManager.RTC_WAKEUP;
      return Math.max(0, trigger - (isWallClock ? System.currentTimeMillis() : SystemClock.elapsedRealtime()));
    }

    boolean isOf(PendingIntent otherOperation, IAlarmListener otherListener) {
      return operation != null
          ? operation.equals(otherOperation)
          : otherListener != null && listener.asBinder() == otherListener.asBinder();
    }
  }

  private Alarms() {}

  /** Arguments as IAlarmManager.aidl of Android 15 has them. */
  static Object call(String method, Object[] arguments) {
    switch (method) {
      case "set":
        set(
            (String) arguments[0],
            (Long) arguments[3],
            new Alarm(
                (Integer) arguments[1],
                (Long) arguments[2],
                (Long) arguments[4],
                (PendingIntent) arguments[6],
                (IAlarmListener) arguments[7],
                (AlarmManager.AlarmClockInfo) arguments[10]));
        return null;
      case "remove":
        remove((PendingIntent) arguments[0], (IAlarmListener) arguments[1]);
        return null;
      case "removeAll":
        synchronized (ALARMS) {
          ALARMS.clear();
        }
        return null;
      case "canScheduleExactAlarms", "hasScheduleExactAlarm":
        return mayBeExact();
      case "getNextAlarmClock":
        return nextClock();
      default:
        return Proxies.DEFAULT;
    }
  }

  private static void set(String caller, long window, Alarm alarm) {
    if (window == EXACT && alarm.operation() != null && !mayBeExact()) {
      throw new SecurityException("Caller " + caller + " needs to hold android.permission.SCHEDULE_EXACT_ALARM or"
          + " android.permission.USE_EXACT_ALARM to set exact alarms.");
    }
    synchronized (ALARMS) {
      ALARMS.removeIf(old -> old.isOf(alarm.operation(), alarm.listener()));
      ALARMS.add(alarm);
    }
    schedule(alarm);
  }

  private static void remove(PendingIntent operation, IAlarmListener listener) {
    synchronized (ALARMS) {
      ALARMS.removeIf(old -> old.isOf(operation, listener));
    }
  }

  private static void schedule(Alarm alarm) {
    new Handler(Looper.getMainLooper()).postDelayed(() -> fire(alarm), alarm.delay());
  }

  private static void fire(Alarm alarm) {
    synchronized (ALARMS) {
      // It was taken back, or set anew.
      if (!ALARMS.remove(alarm)) {
        return;
      }
    }
    if (alarm.interval() > 0) {
      Alarm next = new Alarm(
          alarm.type(), alarm.trigger() + alarm.interval(), alarm.interval(), alarm.operation(), alarm.listener(), alarm.clock());
      synchronized (ALARMS) {
        ALARMS.add(next);
      }
      schedule(next);
    }
    try {
      if (alarm.operation() != null) {
        alarm.operation().send();
      } else {
        alarm.listener().doAlarm(Proxies.create(IAlarmCompleteListener.class, (name, arguments) -> Proxies.DEFAULT));
      }
    } catch (PendingIntent.CanceledException e) {
      Log.w("AlarmManager", "An alarm's PendingIntent was cancelled before it came");
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As AlarmManagerService on Android 14 and later: SCHEDULE_EXACT_ALARM is the user's to give from target 33 on. */
  private static boolean mayBeExact() {
    Application app = RuntimeEnvironment.getApplication();
    int target = app.getApplicationInfo().targetSdkVersion;
    return target < Build.VERSION_CODES.S
        || holds(app, "android.permission.USE_EXACT_ALARM")
        || target < Build.VERSION_CODES.TIRAMISU && holds(app, "android.permission.SCHEDULE_EXACT_ALARM");
  }

  private static boolean holds(Application app, String permission) {
    return app.checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED;
  }

  private static AlarmManager.AlarmClockInfo nextClock() {
    synchronized (ALARMS) {
      return ALARMS.stream()
          .map(Alarm::clock)
          .filter(clock -> clock != null)
          .min(Comparator.comparingLong(AlarmManager.AlarmClockInfo::getTriggerTime))
          .orElse(null);
    }
  }
}
