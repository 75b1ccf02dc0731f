package dev.jugg.vd.host.protocol;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The line of JSON to and from the daemon. Messages may be sent from any thread; requests are handed over on the
 * reader's thread, which therefore must not be blocked.
 */
public final class Channel {
  private final InputStream in;
  private final OutputStream out;
  private final Set<Request> open = ConcurrentHashMap.newKeySet();

  public Channel(InputStream in, OutputStream out) {
    this.in = in;
    this.out = out;
  }

  /** Reads requests until the input ends, then calls {@code atEnd}. */
  public void start(Consumer<Request> handler, Runnable atEnd) {
    Thread reader = new Thread(() -> {
      read(handler);
      atEnd.run();
    }, "jugg-protocol");
    reader.setDaemon(true);
    reader.start();
  }

  private void read(Consumer<Request> handler) {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Request request = parse(line);
        if (request != null) {
          open.add(request);
          handler.accept(request);
        }
      }
    } catch (IOException e) {
      // The daemon is gone: the same as the end of the input.
    }
  }

  private Request parse(String line) {
    try {
      JsonObject message = JsonParser.parseString(line).getAsJsonObject();
      JsonObject params = message.has("params") ? message.getAsJsonObject("params") : new JsonObject();
      return new Request(this, message.get("id").getAsLong(), message.get("method").getAsString(), params);
    } catch (JsonParseException | IllegalStateException | NullPointerException | ClassCastException e) {
      // Nobody to answer to: without an id the line belongs to no request.
      return null;
    }
  }

  /** Sends {@code {"event": name, "params": params}}. */
  public void event(String name, JsonObject params) {
    JsonObject message = new JsonObject();
    message.addProperty("event", name);
    message.add("params", params);
    send(message);
  }

  /** Answers every request that is still open with this error: the app crashed. */
  public void failOpen(String code, String text) {
    for (Request request : open) {
      request.fail(code, text);
    }
  }

  void closed(Request request) {
    open.remove(request);
  }

  void send(JsonObject message) {
    byte[] line = (message + "\n").getBytes(StandardCharsets.UTF_8);
    synchronized (out) {
      try {
        out.write(line);
        out.flush();
      } catch (IOException e) {
        // The daemon is gone; the reader sees that too and ends the process.
      }
    }
  }
}
