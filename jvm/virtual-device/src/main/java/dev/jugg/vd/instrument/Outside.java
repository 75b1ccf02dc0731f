package dev.jugg.vd.instrument;

import com.google.gson.JsonObject;
import dev.jugg.vd.Device;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** What a test runner asks of the device as a whole: the daemon knows which app is in front. Not from the main thread. */
public final class Outside {
  /** The app in front may be busy; a settled answer takes 2 s at most. */
  private static final long TIMEOUT_SECONDS = 20;

  private static final Map<Long, CompletableFuture<JsonObject>> OPEN = new ConcurrentHashMap<>();
  private static final AtomicLong IDS = new AtomicLong();

  private Outside() {}

  /** The daemon's answer, or null when there is none. */
  static JsonObject ask(String method, JsonObject params) {
    long id = IDS.incrementAndGet();
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    OPEN.put(id, answer);
    JsonObject event = new JsonObject();
    event.addProperty("id", id);
    event.addProperty("method", method);
    event.add("params", params);
    Device.host().channel().event("uiAutomation", event);
    try {
      return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException | TimeoutException e) {
      return null;
    } finally {
      OPEN.remove(id);
    }
  }

  /** The daemon's request {@code uiAutomationAnswer}. */
  public static void answered(long id, JsonObject value) {
    CompletableFuture<JsonObject> waiting = OPEN.get(id);
    if (waiting != null) {
      waiting.complete(value);
    }
  }
}
