package dev.jugg.host.wire;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.jugg.host.Diagnostic;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The writing side of the protocol: one JSON object a line, written whole. */
public final class Answers {
  /** Nulls are written: the client's shapes have them where something is not known. */
  public static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private final OutputStream out;

  public Answers(OutputStream out) {
    this.out = out;
  }

  public void result(long id, Object result) {
    JsonObject message = new JsonObject();
    message.addProperty("id", id);
    message.add("result", GSON.toJsonTree(result));
    write(message);
  }

  public void error(long id, String code, String text, List<Diagnostic> diagnostics) {
    JsonObject error = new JsonObject();
    error.addProperty("code", code);
    error.addProperty("message", text);
    error.add("diagnostics", GSON.toJsonTree(diagnostics));
    JsonObject message = new JsonObject();
    message.addProperty("id", id);
    message.add("error", error);
    write(message);
  }

  /** A line for the log of the call with this id. */
  public void log(long id, String line) {
    JsonObject params = new JsonObject();
    params.addProperty("id", id);
    params.addProperty("line", line);
    event("log", params);
  }

  public void event(String name, JsonElement params) {
    JsonObject message = new JsonObject();
    message.add("event", new JsonPrimitive(name));
    message.add("params", params);
    write(message);
  }

  private synchronized void write(JsonObject message) {
    try {
      out.write((GSON.toJson(message) + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      // The client is gone: nobody is left to tell, and the reader will see the end of its input.
      System.err.println("compile host: cannot answer: " + e);
    }
  }
}
