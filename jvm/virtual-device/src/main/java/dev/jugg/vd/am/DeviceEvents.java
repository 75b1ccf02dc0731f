package dev.jugg.vd.am;

import android.content.Intent;
import com.google.gson.JsonObject;
import dev.jugg.vd.am.ActivityRecord.State;

/** What the task manager tells the daemon. */
public interface DeviceEvents {
  void activity(String component, State state);

  /** An activity of another app was asked for. */
  void started(Intent intent);

  /** The launcher is in front; {@code left} is null when no activity is left. */
  void home(JsonObject left);
}
