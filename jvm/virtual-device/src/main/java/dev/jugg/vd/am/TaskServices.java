package dev.jugg.vd.am;

import android.app.ActivityManager;
import android.app.IActivityClientController;
import android.app.IActivityTaskManager;
import android.app.IRequestFinishCallback;
import android.content.ComponentName;
import android.content.Intent;
import android.os.IBinder;
import com.android.internal.policy.IKeyguardDismissCallback;
import dev.jugg.vd.window.OverLock;
import dev.jugg.vd.window.RequestedOrientation;
import java.util.ArrayList;

/**
 * The two system interfaces through which an app's framework code talks to the activity task manager. The proxies live
 * as long as the process: ActivityClient caches its controller, across the warm-up and the real app.
 */
public final class TaskServices {
  private static volatile ActivityTasks tasks;
  private static volatile ActivityStarter starter;

  private static final IActivityClientController CONTROLLER =
      Proxies.create(IActivityClientController.class, TaskServices::controllerCall);
  private static final IActivityTaskManager MANAGER =
      Proxies.create(IActivityTaskManager.class, TaskServices::managerCall);

  private TaskServices() {}

  /** Whose tasks the calls are about from now on. */
  public static void connect(ActivityTasks newTasks, DeviceEvents events) {
    tasks = newTasks;
    starter = new ActivityStarter(newTasks, events);
  }

  public static ActivityTasks tasks() {
    return tasks;
  }

  public static ActivityStarter starter() {
    return starter;
  }

  static IActivityTaskManager manager() {
    return MANAGER;
  }

  private static Object managerCall(String method, Object[] arguments) throws Exception {
    switch (method) {
      case "getActivityClientController":
        return CONTROLLER;
      case "startActivity":
      case "startActivityAsUser":
        IntentLimit.check((Intent) arguments[3]);
        return starter.start(
            (Intent) arguments[3], (IBinder) arguments[5], (String) arguments[6], (Integer) arguments[7]);
      case "startActivities":
        return startAll((Intent[]) arguments[3], (IBinder) arguments[5]);
      case "getTasks":
      case "getAppTasks":
        return new ArrayList<>();
      default:
        return Proxies.DEFAULT;
    }
  }

  private static int startAll(Intent[] intents, IBinder resultTo) {
    int result = ActivityManager.START_SUCCESS;
    for (Intent intent : intents) {
      result = starter.start(intent, resultTo, null, -1);
      if (result < 0) {
        return result;
      }
    }
    return result;
  }

  private static Object controllerCall(String method, Object[] arguments) throws Exception {
    ActivityRecord record =
        arguments != null && arguments.length > 0 && arguments[0] instanceof IBinder token ? tasks.find(token) : null;
    if (record == null) {
      return Proxies.DEFAULT;
    }
    switch (method) {
      case "finishActivity":
        record.resultCode = (Integer) arguments[1];
        record.resultData = (Intent) arguments[2];
        tasks.finish(record);
        return true;
      case "finishActivityAffinity":
        finishFrom(record);
        return true;
      case "getTaskForActivity":
        boolean onlyRoot = (Boolean) arguments[1];
        return !onlyRoot || tasks.isRoot(record) ? tasks.taskId() : -1;
      case "isTopOfTask":
        return record == tasks.top();
      case "willActivityBeVisible":
        return record == tasks.top() || record.isVisible();
      case "getCallingPackage":
        return record.resultTo == null ? null : record.info.packageName;
      case "getCallingActivity":
        return callingActivity(record);
      case "setShowWhenLocked":
        record.showWhenLocked = (Boolean) arguments[1];
        AppServices.post(() -> OverLock.update(tasks));
        return null;
      case "setInheritShowWhenLocked":
        record.inheritShowWhenLocked = (Boolean) arguments[1];
        AppServices.post(() -> OverLock.update(tasks));
        return null;
      case "setRequestedOrientation":
        record.orientation = (Integer) arguments[1];
        AppServices.post(() -> RequestedOrientation.update(tasks));
        return null;
      case "getRequestedOrientation":
        return record.orientation;
      case "setTurnScreenOn":
        record.turnScreenOn = (Boolean) arguments[1];
        AppServices.post(() -> OverLock.update(tasks));
        return null;
      case "dismissKeyguard":
        OverLock.dismiss((IKeyguardDismissCallback) arguments[1]);
        return null;
      case "moveActivityTaskToBack":
        starter.home();
        return true;
      case "onBackPressed":
        back(record, (IRequestFinishCallback) arguments[1]);
        return null;
      case "navigateUpTo":
        starter.start(new Intent((Intent) arguments[1]).addFlags(Intent.FLAG_ACTIVITY_CLEAR_TOP), null, null, -1);
        tasks.finish(record);
        return true;
      default:
        return Proxies.DEFAULT;
    }
  }

  /** Android 12 and later keep the root activity that the launcher started, and show the launcher. */
  private static void back(ActivityRecord record, IRequestFinishCallback finish) throws Exception {
    boolean launcherRoot = tasks.isRoot(record)
        && Intent.ACTION_MAIN.equals(record.intent.getAction())
        && record.intent.hasCategory(Intent.CATEGORY_LAUNCHER);
    if (launcherRoot) {
      starter.home();
    } else {
      finish.requestFinish();
    }
  }

  private static void finishFrom(ActivityRecord record) {
    boolean atOrBelow = true;
    for (ActivityRecord other : tasks.records()) {
      if (atOrBelow) {
        tasks.finish(other);
      }
      atOrBelow = atOrBelow && other != record;
    }
  }

  private static ComponentName callingActivity(ActivityRecord record) {
    ActivityRecord caller = record.resultTo == null ? null : tasks.find(record.resultTo);
    return caller == null ? null : caller.component();
  }
}
