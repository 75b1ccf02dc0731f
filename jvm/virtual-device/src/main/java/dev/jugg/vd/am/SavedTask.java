package dev.jugg.vd.am;

import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.os.Bundle;
import android.os.Parcel;
import android.util.Log;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.host.protocol.ProtocolException;
import dev.jugg.vd.permission.PermissionRequest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.util.ReflectionHelpers;

/**
 * A task as the system keeps it while its process is gone: its activities, bottom first, each with its intent and the
 * state that it saved when it was stopped. Main thread only.
 */
public final class SavedTask {
  private SavedTask() {}

  /** Null when there is nothing to come back to. */
  public static JsonObject of(ActivityTasks tasks) {
    JsonArray activities = new JsonArray();
    for (ActivityRecord record : tasks.records()) {
      // A question of the system ends with its process; who asked asks again.
      if (record.finishing || PermissionRequest.CONTROLLER.equals(record.info.packageName)) {
        continue;
      }
      JsonObject activity = new JsonObject();
      activity.addProperty("component", record.shortComponent());
      activity.addProperty("saved", write(record));
      activities.add(activity);
    }
    if (activities.isEmpty()) {
      return null;
    }
    JsonObject task = new JsonObject();
    task.add("activities", activities);
    return task;
  }

  /** The records of a task that another process of this app has left. */
  static List<ActivityRecord> read(JsonObject task) throws ProtocolException {
    List<ActivityRecord> records = new ArrayList<>();
    PackageManager packages = RuntimeEnvironment.getApplication().getPackageManager();
    for (JsonElement element : task.getAsJsonArray("activities")) {
      JsonObject activity = element.getAsJsonObject();
      String component = activity.get("component").getAsString();
      try {
        ActivityInfo info = packages.getActivityInfo(ComponentName.unflattenFromString(component), 0);
        records.add(read(info, activity.get("saved").getAsString()));
      } catch (PackageManager.NameNotFoundException e) {
        throw new ProtocolException("ACTIVITY_NOT_FOUND", component + " is gone", e);
      }
    }
    return records;
  }

  private static String write(ActivityRecord record) {
    Bundle state = record.client == null ? record.savedState : ReflectionHelpers.getField(record.client, "state");
    try {
      return encode(record.intent, state);
    } catch (RuntimeException e) {
      // As on a device for what is no plain data; the activity then begins anew.
      Log.w("JuggVirtualDevice", "The state of " + record.shortComponent() + " is not kept: " + e);
      return encode(new Intent().setComponent(record.component()), null);
    }
  }

  private static String encode(Intent intent, Bundle state) {
    Parcel parcel = Parcel.obtain();
    try {
      intent.writeToParcel(parcel, 0);
      parcel.writeBundle(state);
      return Base64.getEncoder().encodeToString(parcel.marshall());
    } finally {
      parcel.recycle();
    }
  }

  private static ActivityRecord read(ActivityInfo info, String saved) {
    byte[] bytes = Base64.getDecoder().decode(saved);
    Parcel parcel = Parcel.obtain();
    try {
      parcel.unmarshall(bytes, 0, bytes.length);
      parcel.setDataPosition(0);
      Intent intent = Intent.CREATOR.createFromParcel(parcel);
      intent.setExtrasClassLoader(BoundApp.current().loader());
      Bundle state = parcel.readBundle(BoundApp.current().loader());
      ActivityRecord record = new ActivityRecord(intent, info, null, null, -1);
      record.savedState = state;
      return record;
    } finally {
      parcel.recycle();
    }
  }
}
