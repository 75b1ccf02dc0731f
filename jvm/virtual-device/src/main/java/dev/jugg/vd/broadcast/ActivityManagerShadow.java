package dev.jugg.vd.broadcast;

import android.app.ActivityManager.AppTask;
import android.app.ActivityManager.MemoryInfo;
import android.app.ActivityManager.RunningAppProcessInfo;
import android.app.IActivityManager;
import android.os.Process;
import com.sun.management.OperatingSystemMXBean;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.am.ActivityRecord;
import dev.jugg.vd.am.OwnTask;
import dev.jugg.vd.am.TaskServices;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowActivityManager;

/** The framework's own code sends and receives broadcasts, and asks {@link BroadcastCalls}. */
@Implements(className = "android.app.ActivityManager", isInAndroidSdk = false)
public class ActivityManagerShadow extends ShadowActivityManager {
  /** Below it a phone begins to kill (AOSP {@code ProcessList}: 144 MB for cached processes on a large screen). */
  private static final long LOW_BYTES = 144L * 1024 * 1024;

  @Implementation
  protected static IActivityManager getService() {
    return BroadcastCalls.MANAGER;
  }

  /** Apps see their own processes only; here it is this one. */
  @Override
  @Implementation
  protected List<RunningAppProcessInfo> getRunningAppProcesses() {
    BoundApp app = BoundApp.current();
    if (app == null) {
      return null;
    }
    RunningAppProcessInfo info =
        new RunningAppProcessInfo(app.processName(), Process.myPid(), new String[] {app.packageName()});
    getMyMemoryState(info);
    List<RunningAppProcessInfo> all = new ArrayList<>();
    all.add(info);
    return all;
  }

  @Override
  @Implementation
  protected List<AppTask> getAppTasks() {
    return OwnTask.all();
  }

  @Implementation
  protected static void getMyMemoryState(RunningAppProcessInfo info) {
    info.pid = Process.myPid();
    info.uid = Process.myUid();
    info.importance = importance();
  }

  private static int importance() {
    ActivityRecord top = TaskServices.tasks() == null ? null : TaskServices.tasks().top();
    if (top != null && top.state() == ActivityRecord.State.RESUMED) {
      return RunningAppProcessInfo.IMPORTANCE_FOREGROUND;
    }
    return top != null && top.isVisible()
        ? RunningAppProcessInfo.IMPORTANCE_VISIBLE
        : RunningAppProcessInfo.IMPORTANCE_CACHED;
  }

  /** That of the machine. */
  @Override
  @Implementation
  protected void getMemoryInfo(MemoryInfo info) {
    OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    info.totalMem = machine.getTotalMemorySize();
    info.advertisedMem = info.totalMem;
    info.availMem = machine.getFreeMemorySize();
    info.threshold = LOW_BYTES;
    info.lowMemory = info.availMem < LOW_BYTES;
  }
}
