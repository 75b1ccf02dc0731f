package dev.jugg.vd.am;

import android.app.ActivityManager.AppTask;
import android.app.ActivityManager.RecentTaskInfo;
import android.app.IAppTask;
import android.app.IApplicationThread;
import android.content.Intent;
import android.os.Bundle;
import android.os.IBinder;
import java.util.ArrayList;
import java.util.List;

/** The task of this process, as {@code ActivityManager.getAppTasks} hands it out. */
public final class OwnTask extends IAppTask.Stub {
  private final ActivityTasks tasks;

  private OwnTask(ActivityTasks tasks) {
    this.tasks = tasks;
  }

  /** Empty when it has no activity. */
  public static List<AppTask> all() {
    ActivityTasks tasks = TaskServices.tasks();
    List<AppTask> all = new ArrayList<>();
    if (tasks != null && tasks.top() != null) {
      all.add(new AppTask(new OwnTask(tasks)));
    }
    return all;
  }

  @Override
  public void finishAndRemoveTask() {
    AppServices.post(() -> {
      for (ActivityRecord record : tasks.records()) {
        tasks.finish(record);
      }
    });
  }

  @Override
  public RecentTaskInfo getTaskInfo() {
    List<ActivityRecord> records = tasks.records();
    RecentTaskInfo info = new RecentTaskInfo();
    info.taskId = tasks.taskId();
    info.id = info.taskId;
    info.persistentId = info.taskId;
    info.isRunning = true;
    info.numActivities = records.size();
    for (ActivityRecord record : records) {
      if (tasks.isRoot(record)) {
        info.baseIntent = new Intent(record.intent);
        info.baseActivity = record.component();
        info.origActivity = record.component();
      }
    }
    ActivityRecord top = tasks.top();
    info.topActivity = top == null ? null : top.component();
    return info;
  }

  @Override
  public void moveToFront(IApplicationThread thread, String caller) {
    AppServices.post(tasks::toFront);
  }

  @Override
  public int startActivity(
      IBinder whoThread, String caller, String feature, Intent intent, String type, Bundle options) {
    return TaskServices.starter().start(intent, null, null, -1);
  }

  @Override
  public void setExcludeFromRecents(boolean exclude) {}
}
