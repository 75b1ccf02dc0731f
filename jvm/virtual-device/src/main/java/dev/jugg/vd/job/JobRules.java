package dev.jugg.vd.job;

import android.Manifest;
import android.app.Application;
import android.app.job.JobInfo;
import android.app.job.JobService;
import android.content.pm.PackageManager;
import android.content.pm.ServiceInfo;
import android.os.Build;
import org.robolectric.RuntimeEnvironment;

/** What may be scheduled, in the words of AOSP's JobSchedulerService. */
final class JobRules {
  private JobRules() {}

  static void check(JobInfo info) {
    Application app = RuntimeEnvironment.getApplication();
    ServiceInfo service;
    try {
      service = app.getPackageManager().getServiceInfo(info.getService(), 0);
    } catch (PackageManager.NameNotFoundException e) {
      throw new IllegalArgumentException("No such service " + info.getService());
    }
    if (!JobService.PERMISSION_BIND.equals(service.permission)) {
      throw new IllegalArgumentException("Scheduled service " + info.getService() + " does not require "
          + JobService.PERMISSION_BIND + " permission");
    }
    if (info.isPersisted() && !holds(app, Manifest.permission.RECEIVE_BOOT_COMPLETED)) {
      throw new IllegalArgumentException(
          "Requested job cannot be persisted without holding android.permission.RECEIVE_BOOT_COMPLETED permission");
    }
    if (info.getRequiredNetwork() != null
        && app.getApplicationInfo().targetSdkVersion >= Build.VERSION_CODES.UPSIDE_DOWN_CAKE
        && !holds(app, Manifest.permission.ACCESS_NETWORK_STATE)) {
      throw new SecurityException(
          "android.permission.ACCESS_NETWORK_STATE required for jobs with a connectivity constraint");
    }
  }

  private static boolean holds(Application app, String permission) {
    return app.checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED;
  }
}
