package dev.jugg.vd.am;

import android.app.Activity;
import android.app.ActivityManager;
import android.app.ResultInfo;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import android.os.Process;
import android.util.Log;
import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.binder.Components;
import dev.jugg.vd.permission.PermissionRequest;
import dev.jugg.vd.pm.ManifestComponents;
import org.robolectric.RuntimeEnvironment;

/** From an intent to an activity: resolves, and tells this app's activities from those of others. */
public final class ActivityStarter {
  private static final String TAG = "JuggVirtualDevice";

  private final ActivityTasks tasks;
  private final DeviceEvents events;

  ActivityStarter(ActivityTasks tasks, DeviceEvents events) {
    this.tasks = tasks;
    this.events = events;
  }

  /** Answers a result code of ActivityManager, as the system's startActivity does. */
  int start(Intent intent, IBinder resultTo, String resultWho, int requestCode) {
    PackageManager packages = RuntimeEnvironment.getApplication().getPackageManager();
    if (PackageManager.ACTION_REQUEST_PERMISSIONS.equals(intent.getAction())) {
      requestPermissions(intent, resultTo, resultWho, requestCode);
      return ActivityManager.START_SUCCESS;
    }
    if (intent.hasCategory(Intent.CATEGORY_HOME)) {
      home();
      return ActivityManager.START_SUCCESS;
    }
    ActivityInfo info = resolve(packages, intent);
    if (info == null) {
      return otherApp(intent);
    }
    Intent resolved = new Intent(intent);
    resolved.setComponent(new ComponentName(info.packageName, info.targetActivity == null ? info.name : info.targetActivity));
    BoundApp app = BoundApp.current();
    if (app != null
        && !ManifestComponents.processOf(info, RuntimeEnvironment.getApplication()).equals(app.processName())) {
      events.started(resolved);
      return ActivityManager.START_SUCCESS;
    }
    IBinder receiver = requestCode >= 0 ? resultTo : null;
    return tasks.start(new ActivityRecord(resolved, info, receiver, resultWho, requestCode));
  }

  /** As {@code am start}; false when there is no such activity in this app. */
  public boolean startFromShell(Intent intent) {
    return start(intent, null, null, -1) >= ActivityManager.START_SUCCESS;
  }

  /** The activity of this app that the intent means, or null. */
  public static ActivityInfo resolve(PackageManager packages, Intent intent) {
    if (intent.getComponent() != null) {
      try {
        return packages.getActivityInfo(intent.getComponent(), 0);
      } catch (PackageManager.NameNotFoundException e) {
        return null;
      }
    }
    ResolveInfo found = packages.resolveActivity(intent, 0);
    return found == null ? null : found.activityInfo;
  }

  /** The daemon knows the other apps. */
  private int otherApp(Intent intent) {
    if (BoundApp.current() == null) {
      return ActivityManager.START_INTENT_NOT_RESOLVED;
    }
    String target = intent.getComponent() == null ? intent.getPackage() : intent.getComponent().getPackageName();
    if (BoundApp.current().packageName().equals(target)) {
      return notFound(intent);
    }
    String action = String.valueOf(intent.getAction());
    if (action.startsWith("android.settings.")) {
      Log.i(TAG, action + " shows nothing: the virtual device has no settings app");
      return ActivityManager.START_SUCCESS;
    }
    if (action.equals(Intent.ACTION_CHOOSER)) {
      return chosen(intent);
    }
    JsonObject found = Components.activity(IntentReader.write(intent));
    if (!found.get("found").getAsBoolean()) {
      return notFound(intent);
    }
    String denied = Components.text(found, "denied");
    if (denied != null) {
      throw new SecurityException("Permission Denial: starting " + intent + " from " + BoundApp.current().processName()
          + " (pid=" + Process.myPid() + ", uid=" + Process.myUid() + ") " + denied.replace("that is ", "").replace("from UID", "from uid"));
    }
    UriGrants.enforceMayGrant(intent);
    events.started(new Intent(intent)
        .setComponent(ComponentName.unflattenFromString(Components.text(found, "component"))));
    return ActivityManager.START_SUCCESS;
  }

  private static int notFound(Intent intent) {
    return intent.getComponent() == null
        ? ActivityManager.START_INTENT_NOT_RESOLVED
        : ActivityManager.START_CLASS_NOT_FOUND;
  }

  /** There is no list to choose from: the first app that fits is taken, and said to be. */
  private int chosen(Intent chooser) {
    Intent target = chooser.getParcelableExtra(Intent.EXTRA_INTENT, Intent.class);
    int result = target == null
        ? ActivityManager.START_INTENT_NOT_RESOLVED
        : start(new Intent(target).addFlags(chooser.getFlags()), null, null, -1);
    Log.i(TAG, result >= ActivityManager.START_SUCCESS
        ? "A chooser was asked for: the first app that fits is started"
        : "A chooser was asked for, and no app can perform this action");
    return ActivityManager.START_SUCCESS;
  }

  /** The launcher comes to the front. */
  public void home() {
    new Handler(Looper.getMainLooper()).post(() -> {
      tasks.toBack();
      events.home(SavedTask.of(tasks));
    });
  }

  /** Asks the user, unless there is nothing that may be asked: then the answer is what is granted now. */
  private void requestPermissions(Intent intent, IBinder resultTo, String resultWho, int requestCode) {
    ActivityRecord asking = resultTo == null ? null : tasks.find(resultTo);
    String[] names = intent.getStringArrayExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_NAMES);
    if (asking == null || names == null) {
      return;
    }
    if (PermissionRequest.needsDialog(names)) {
      Intent dialog = PermissionRequest.intent(intent);
      tasks.start(new ActivityRecord(dialog, PermissionRequest.info(), resultTo, resultWho, requestCode));
    } else {
      Intent answer = PermissionRequest.answer(names);
      tasks.deliver(asking, new ResultInfo(resultWho, requestCode, Activity.RESULT_OK, answer));
    }
  }
}
