package dev.jugg.vd.permission;

import android.app.Application;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import org.robolectric.RuntimeEnvironment;

/** The way from {@code Activity.requestPermissions} to the dialog and back. */
public final class PermissionRequest {
  public static final String CONTROLLER = "com.android.permissioncontroller";
  private static final String ACTIVITY = CONTROLLER + ".permission.ui.GrantPermissionsActivity";

  private PermissionRequest() {}

  /** Whether the user has to be asked for any of them. */
  public static boolean needsDialog(String[] names) {
    for (String name : names) {
      if (Permissions.canBeAsked(name)) {
        return true;
      }
    }
    return false;
  }

  /** What is granted of them now, as the asking activity gets it. */
  public static Intent answer(String[] names) {
    int[] granted = new int[names.length];
    for (int i = 0; i < names.length; i++) {
      granted[i] =
          Permissions.isGranted(names[i]) ? PackageManager.PERMISSION_GRANTED : PackageManager.PERMISSION_DENIED;
    }
    return new Intent()
        .putExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_NAMES, names)
        .putExtra(PackageManager.EXTRA_REQUEST_PERMISSIONS_RESULTS, granted);
  }

  /** What starts the dialog: its class is ours, in a process of the app. */
  public static Intent intent(Intent asked) {
    Application app = RuntimeEnvironment.getApplication();
    return new Intent(asked)
        .setComponent(new ComponentName(app.getPackageName(), GrantPermissionsActivity.class.getName()));
  }

  /** What the dialog is called outside. */
  public static ActivityInfo info() {
    Application app = RuntimeEnvironment.getApplication();
    ActivityInfo info = new ActivityInfo();
    info.applicationInfo = app.getApplicationInfo();
    info.packageName = CONTROLLER;
    info.name = ACTIVITY;
    info.taskAffinity = app.getPackageName();
    info.processName = app.getApplicationInfo().processName;
    info.theme = android.R.style.Theme_Material_Light_Dialog_NoActionBar;
    return info;
  }
}
