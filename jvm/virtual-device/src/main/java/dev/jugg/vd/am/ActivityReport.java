package dev.jugg.vd.am;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.jugg.vd.am.ActivityRecord.State;
import dev.jugg.vd.window.ScreenLayout;
import dev.jugg.vd.window.ShownWindow;
import dev.jugg.vd.window.SystemBars;
import dev.jugg.vd.window.Windows;
import android.graphics.Rect;
import android.view.WindowInsets;
import java.util.List;

/** The answer to {@code activities}. Main thread only. */
public final class ActivityReport {
  private ActivityReport() {}

  public static JsonObject of(ActivityTasks tasks, Windows windows) {
    List<ActivityRecord> records = tasks.records();
    JsonObject result = new JsonObject();
    JsonArray all = new JsonArray();
    if (!records.isEmpty()) {
      all.add(task(tasks.taskId(), records));
    }
    result.add("tasks", all);
    for (ActivityRecord record : records) {
      if (record.state() == State.RESUMED) {
        result.addProperty("resumedComponent", record.shortComponent());
      }
    }
    JsonArray shown = new JsonArray();
    ShownWindow focused = windows.focusedWindow();
    for (ShownWindow window : windows.shown()) {
      shown.add(window(window, focused));
    }
    result.add("windows", shown);
    result.add("systemWindows", systemWindows());
    return result;
  }

  /** The shown ones of the system, with their bounds. */
  private static JsonObject systemWindows() {
    ScreenLayout layout = ScreenLayout.instance();
    SystemBars bars = SystemBars.now();
    JsonObject shown = new JsonObject();
    if (layout.isShown(WindowInsets.Type.statusBars())) {
      shown.add("statusBar", px(bars.statusBar()));
    }
    if (layout.isShown(WindowInsets.Type.navigationBars())) {
      shown.add("navigationBar", px(bars.navigationBar()));
    }
    if (layout.isKeyboardShown()) {
      shown.add("keyboard", px(bars.keyboard()));
    }
    return shown;
  }

  private static JsonObject task(int id, List<ActivityRecord> records) {
    JsonObject task = new JsonObject();
    ActivityRecord root = records.get(0);
    task.addProperty("id", id);
    String affinity = root.info.taskAffinity;
    task.addProperty("affinity", affinity == null ? root.info.packageName : affinity);
    task.addProperty("rootComponent", root.shortComponent());
    JsonArray activities = new JsonArray();
    for (int i = records.size() - 1; i >= 0; i--) {
      activities.add(activity(records.get(i)));
    }
    task.add("activities", activities);
    return task;
  }

  private static JsonObject activity(ActivityRecord record) {
    JsonObject activity = new JsonObject();
    activity.addProperty("hash", record.hash());
    activity.addProperty("component", record.shortComponent());
    activity.addProperty("state", record.state().name());
    activity.addProperty("finishing", record.isFinishing());
    activity.addProperty("title", record.title());
    return activity;
  }

  private static JsonObject window(ShownWindow window, ShownWindow focused) {
    JsonObject json = new JsonObject();
    json.addProperty("type", window.type());
    json.addProperty("title", window.title());
    if (window.activity() != null) {
      json.addProperty("component", window.activity().shortComponent());
    }
    json.add("boundsPx", px(window.bounds()));
    json.addProperty("focused", focused != null && focused.root() == window.root());
    json.addProperty("secure", window.isSecure());
    return json;
  }

  private static JsonArray px(Rect bounds) {
    JsonArray px = new JsonArray();
    px.add(bounds.left);
    px.add(bounds.top);
    px.add(bounds.right);
    px.add(bounds.bottom);
    return px;
  }
}
