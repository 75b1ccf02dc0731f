package dev.jugg.platform;

import android.app.Activity;
import android.app.ActivityManager;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.Signature;
import android.os.Process;
import android.util.Log;
import java.security.MessageDigest;

/** What the platform says of the app and the device, and how much fits into an intent. */
final class Facts {
  private Facts() {}

  static void log(Context context) {
    PackageManager packages = context.getPackageManager();
    String own = context.getPackageName();
    try {
      PackageInfo now = packages.getPackageInfo(own, PackageManager.GET_SIGNING_CERTIFICATES);
      log("signed " + digest(now.signingInfo.getApkContentsSigners()) + now.signingInfo.hasMultipleSigners());
      log("signed " + digest(packages.getPackageInfo(own, PackageManager.GET_SIGNATURES).signatures));
    } catch (Exception e) {
      log("signed " + e);
    }
    log("touchscreen " + packages.hasSystemFeature(PackageManager.FEATURE_TOUCHSCREEN)
        + " telephony " + packages.hasSystemFeature(PackageManager.FEATURE_TELEPHONY));
    for (int size : new int[] {900_000, 1_100_000}) {
      Intent intent = new Intent(context, PlatformActivity.class).putExtra("part", "none").putExtra("a", new byte[size]);
      tell("activity", () -> context.startActivity(intent));
      tell("service", () -> context.startService(new Intent(context, KeptService.Once.class).putExtras(intent)));
      tell("broadcast", () -> context.sendBroadcast(new Intent("dev.jugg.platform.NOBODY").putExtras(intent)));
    }
    log("end");
  }

  static void logProcess(Context context) {
    ActivityManager manager = context.getSystemService(ActivityManager.class);
    for (ActivityManager.RunningAppProcessInfo each : manager.getRunningAppProcesses()) {
      log("process " + each.processName + " " + (each.pid == Process.myPid()) + " " + (each.uid == Process.myUid())
          + " " + each.importance);
    }
    ActivityManager.MemoryInfo memory = new ActivityManager.MemoryInfo();
    manager.getMemoryInfo(memory);
    log("memory " + (memory.totalMem > memory.availMem && memory.availMem > 0));
    for (ActivityManager.AppTask task : manager.getAppTasks()) {
      ActivityManager.RecentTaskInfo info = task.getTaskInfo();
      log("task " + info.numActivities + " " + info.topActivity.getShortClassName() + " "
          + (info.taskId == ((Activity) context).getTaskId()));
    }
  }

  private static void tell(String what, Runnable work) {
    try {
      work.run();
      log(what + " sent");
    } catch (RuntimeException e) {
      log(what + " " + e.getMessage() + " " + e.getCause());
    }
  }

  private static String digest(Signature[] signers) throws Exception {
    StringBuilder hex = new StringBuilder();
    for (Signature signer : signers) {
      for (byte each : MessageDigest.getInstance("SHA-256").digest(signer.toByteArray())) {
        hex.append(String.format("%02x", each));
      }
      hex.append(' ');
    }
    return hex.toString();
  }

  private static void log(String text) {
    Log.i(PlatformActivity.TAG, "fact " + text);
  }
}
