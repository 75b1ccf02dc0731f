package dev.jugg.vd.binder;

import android.net.Uri;
import com.google.gson.JsonObject;
import dev.jugg.vd.Device;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Asks the daemon, which knows all packages and processes, for a component that is not in this process. */
public final class Components {
  private static final Map<Long, CompletableFuture<JsonObject>> OPEN = new ConcurrentHashMap<>();
  private static final AtomicLong LAST = new AtomicLong();

  private Components() {}

  /** The service that an intent means, in the protocol's form; see docs/app-process-protocol.md for the answer. */
  public static JsonObject service(JsonObject intent, boolean start) {
    JsonObject event = new JsonObject();
    event.addProperty("kind", "service");
    event.add("intent", intent);
    return ask(event, start);
  }

  /** The activity that an intent means, whichever app's it is. */
  public static JsonObject activity(JsonObject intent) {
    JsonObject event = new JsonObject();
    event.addProperty("kind", "activity");
    event.add("intent", intent);
    return ask(event, false);
  }

  /** {@code uri}: what is wanted of it, for which there may be a grant; may be null. */
  static JsonObject provider(String authority, boolean start, Uri uri) {
    JsonObject event = new JsonObject();
    if (uri != null) {
      event.addProperty("uri", uri.toString());
    }
    event.addProperty("kind", "provider");
    event.addProperty("authority", authority);
    return ask(event, start);
  }

  /** Waits as long as it takes: the daemon always answers, and this process ends with it. */
  private static JsonObject ask(JsonObject event, boolean start) {
    long id = LAST.incrementAndGet();
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    OPEN.put(id, answer);
    event.addProperty("id", id);
    event.addProperty("start", start);
    Device.host().channel().event("findComponent", event);
    return answer.join();
  }

  /** Asks the daemon about grants of URIs, see docs/app-process-protocol.md. */
  public static JsonObject uriPermission(String ask, JsonObject question) {
    long id = LAST.incrementAndGet();
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    OPEN.put(id, answer);
    question.addProperty("id", id);
    question.addProperty("ask", ask);
    Device.host().channel().event("uriPermission", question);
    return answer.join();
  }

  static void found(long id, JsonObject value) {
    CompletableFuture<JsonObject> waiting = OPEN.remove(id);
    if (waiting != null) {
      waiting.complete(value);
    }
  }

  /** A text of an answer, or null. */
  public static String text(JsonObject answer, String name) {
    return answer.has(name) ? answer.get(name).getAsString() : null;
  }
}
