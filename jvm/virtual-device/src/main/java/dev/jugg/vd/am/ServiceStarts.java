package dev.jugg.vd.am;

import android.app.Service;
import android.content.Intent;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.jugg.vd.Device;
import java.util.ArrayList;
import java.util.List;

/**
 * The starts of one service, and what the daemon has to know of them to bring the service back in another process when
 * this one ends (AOSP {@code ActiveServices.serviceDoneExecutingLocked}). Main thread only.
 */
final class ServiceStarts {
  private record Start(int id, Intent intent) {}

  private final ServiceRecord record;
  /** Delivered, and not known to be done: they are delivered again. */
  private final List<Start> open = new ArrayList<>();
  private final List<Start> redelivered = new ArrayList<>();

  private boolean stopIfKilled;
  private boolean told;
  private int lastId;

  ServiceStarts(ServiceRecord record) {
    this.record = record;
  }

  int lastId() {
    return lastId;
  }

  /** Has the service do what it was started for; {@code intent} is null when it was brought back for its own sake. */
  void deliver(Intent intent, int flags) {
    Start start = new Start(++lastId, intent);
    record.started = true;
    stopIfKilled = false;
    if (intent != null) {
      open.add(start);
    }
    report();
    int result = record.service.onStartCommand(intent, flags, start.id);
    switch (result) {
      case Service.START_STICKY, Service.START_STICKY_COMPATIBILITY -> {
        open.remove(start);
        stopIfKilled = false;
      }
      case Service.START_NOT_STICKY -> {
        open.remove(start);
        if (lastId == start.id) {
          stopIfKilled = true;
        }
      }
      case Service.START_REDELIVER_INTENT -> {
        if (open.contains(start)) {
          redelivered.add(start);
          stopIfKilled = true;
        }
      }
      default -> throw new IllegalArgumentException("Unknown service start result: " + result);
    }
    report();
  }

  /** {@code stopSelf(startId)}: all that came up to that start is done. */
  void done(int startId) {
    open.removeIf(start -> start.id <= startId);
    report();
  }

  /** Nobody wants it to run any more. */
  void stopped() {
    record.started = false;
    open.clear();
    report();
  }

  private void report() {
    redelivered.retainAll(open);
    boolean sticky = record.started && !stopIfKilled;
    if (!told && !sticky && open.isEmpty()) {
      return;
    }
    told = sticky || !open.isEmpty();
    JsonObject event = new JsonObject();
    event.addProperty("component", record.component.flattenToShortString());
    event.addProperty("sticky", sticky);
    JsonArray starts = new JsonArray();
    for (Start start : open) {
      JsonObject json = new JsonObject();
      json.addProperty("id", start.id);
      json.add("intent", IntentReader.write(start.intent));
      json.addProperty(
          "startFlags", redelivered.contains(start) ? Service.START_FLAG_REDELIVERY : Service.START_FLAG_RETRY);
      starts.add(json);
    }
    event.add("starts", starts);
    Device.host().channel().event("serviceStarts", event);
  }
}
