package dev.jugg.vd.am;

import android.Manifest;
import android.app.ForegroundServiceTypePolicy;
import android.app.ForegroundServiceTypePolicy.ForegroundServiceTypePolicyInfo;
import android.app.InvalidForegroundServiceTypeException;
import android.app.MissingForegroundServiceTypeException;
import android.app.Notification;
import android.app.RemoteServiceException.CannotPostForegroundServiceNotificationException;
import android.app.RemoteServiceException.ForegroundServiceDidNotStartInTimeException;
import android.app.Service;
import android.content.Context;
import android.content.pm.PackageManager;
import android.content.pm.ServiceInfo;
import android.os.Binder;
import android.os.Build;
import android.os.Handler;
import android.os.Looper;
import android.util.Log;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.notification.Posted;

/** Whether one service is in the foreground, and the rules for that (AOSP 15, {@code ActiveServices}). */
final class ForegroundState {
  /** {@code SERVICE_START_FOREGROUND_TIMEOUT}. */
  private static final long TIMEOUT_MS = 30_000;

  private final ServiceRecord record;
  private final Runnable timeout;
  private final Handler main = new Handler(Looper.getMainLooper());
  private volatile boolean required;
  private volatile int type;
  private volatile int id;

  /** {@code stop} ends the service when it was too late. */
  ForegroundState(ServiceRecord record, Runnable stop) {
    this.record = record;
    timeout = () -> {
      if (required) {
        stop.run();
        ended();
      }
    };
  }

  /** It was started by {@code startForegroundService}: it has to come to the foreground. */
  void require() {
    if (id == 0) {
      required = true;
      main.removeCallbacks(timeout);
      main.postDelayed(timeout, TIMEOUT_MS);
    }
  }

  int type() {
    return type;
  }

  /** {@code startForeground}, and with an id of 0 {@code stopForeground} with its flags. */
  void set(int newId, Notification notification, int flags, int newType) {
    if (newId == 0) {
      leave(flags);
      return;
    }
    if (notification == null) {
      throw new IllegalArgumentException("null notification");
    }
    Context context = record.service;
    int target = context.getApplicationInfo().targetSdkVersion;
    if (target >= Build.VERSION_CODES.P) {
      requirePermission(context);
    }
    int declared = record.info.getForegroundServiceType();
    int wanted = newType == ServiceInfo.FOREGROUND_SERVICE_TYPE_MANIFEST ? declared : newType;
    if ((wanted & declared) != wanted) {
      throw new IllegalArgumentException(String.format(
          "foregroundServiceType 0x%08X is not a subset of foregroundServiceType attribute 0x%08X in service element of"
              + " manifest file",
          wanted,
          declared));
    }
    required = false;
    main.removeCallbacks(timeout);
    checkType(context, target, wanted, newType);
    id = newId;
    type = wanted;
    if (target > Build.VERSION_CODES.O && !Posted.hasChannel(context, notification)) {
      Log.e("ActivityManager", "invalid channel for service notification: " + notification);
      main.post(() -> {
        throw new CannotPostForegroundServiceNotificationException("Bad notification for startForeground");
      });
      return;
    }
    notification.flags |= Notification.FLAG_FOREGROUND_SERVICE | Notification.FLAG_NO_CLEAR;
    Posted.always(context, newId, notification);
  }

  /** The service is gone. */
  void ended() {
    main.removeCallbacks(timeout);
    if (!required) {
      leave(Service.STOP_FOREGROUND_REMOVE);
      return;
    }
    required = false;
    Log.w("ActivityManager", "Bringing down service while still waiting for start foreground: " + record);
    main.post(() -> {
      throw new ForegroundServiceDidNotStartInTimeException(
          "Context.startForegroundService() did not then call Service.startForeground(): " + record, null);
    });
  }

  private void leave(int flags) {
    if (id != 0 && (flags & Service.STOP_FOREGROUND_REMOVE) != 0) {
      Posted.cancel(record.service, id);
    }
    id = 0;
    type = ServiceInfo.FOREGROUND_SERVICE_TYPE_NONE;
  }

  private static void requirePermission(Context context) {
    String permission = Manifest.permission.FOREGROUND_SERVICE;
    if (context.checkSelfPermission(permission) != PackageManager.PERMISSION_GRANTED) {
      throw new SecurityException("Permission Denial: startForeground from pid=" + Binder.getCallingPid() + ", uid="
          + Binder.getCallingUid() + " requires " + permission);
    }
  }

  /** From a target of 34 on each foreground service has types, and the permissions of each. */
  private static void checkType(Context context, int target, int wanted, int asked) {
    if (target < Build.VERSION_CODES.UPSIDE_DOWN_CAKE) {
      return;
    }
    String who = " callerApp=" + processRecord() + " targetSDK=" + target;
    if (wanted == ServiceInfo.FOREGROUND_SERVICE_TYPE_NONE) {
      if (asked == ServiceInfo.FOREGROUND_SERVICE_TYPE_MANIFEST) {
        throw new MissingForegroundServiceTypeException("Starting FGS without a type " + who);
      }
      throw new InvalidForegroundServiceTypeException("Starting FGS with type none" + who + " has been prohibited");
    }
    for (int rest = wanted; rest != 0; rest &= rest - 1) {
      int one = Integer.lowestOneBit(rest);
      ForegroundServiceTypePolicyInfo policy = ForegroundServiceTypePolicy.getDefaultPolicy()
          .getForegroundServiceTypePolicyInfo(one, ServiceInfo.FOREGROUND_SERVICE_TYPE_NONE);
      if (policy != null && !(mayAll(context, policy) && mayAny(context, policy))) {
        throw new SecurityException("Starting FGS with type " + ServiceInfo.foregroundServiceTypeToLabel(one) + who
            + " requires permissions: " + policy.toPermissionString()
            + (policy.hasForegroundOnlyPermission()
                ? " and the app must be in the eligible state/exemptions to access the foreground only permission"
                : ""));
      }
    }
  }

  private static boolean mayAll(Context context, ForegroundServiceTypePolicyInfo policy) {
    String[] names = policy.getRequiredAllOfPermissionsForTest(context).orElse(new String[0]);
    for (String name : names) {
      if (context.checkSelfPermission(name) != PackageManager.PERMISSION_GRANTED) {
        return false;
      }
    }
    return true;
  }

  private static boolean mayAny(Context context, ForegroundServiceTypePolicyInfo policy) {
    String[] names = policy.getRequiredAnyOfPermissionsForTest(context).orElse(new String[0]);
    for (String name : names) {
      if (context.checkSelfPermission(name) == PackageManager.PERMISSION_GRANTED) {
        return true;
      }
    }
    return names.length == 0;
  }

  private static String processRecord() {
    BoundApp app = BoundApp.current();
    return "ProcessRecord{" + Integer.toHexString(System.identityHashCode(app)) + " " + ProcessHandle.current().pid()
        + ":" + app.processName() + "/u0a" + app.uid() % 10_000 + "}";
  }
}
