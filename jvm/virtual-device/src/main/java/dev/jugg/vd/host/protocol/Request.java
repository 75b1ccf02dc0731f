package dev.jugg.vd.host.protocol;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.concurrent.atomic.AtomicBoolean;

/** One request of the daemon; answered exactly once, later answers are ignored. */
public final class Request {
  private final Channel channel;
  private final long id;
  private final String method;
  private final JsonObject params;
  private final AtomicBoolean answered = new AtomicBoolean();

  Request(Channel channel, long id, String method, JsonObject params) {
    this.channel = channel;
    this.id = id;
    this.method = method;
    this.params = params;
  }

  public String method() {
    return method;
  }

  public JsonObject params() {
    return params;
  }

  public boolean isAnswered() {
    return answered.get();
  }

  public void answer(JsonObject result) {
    reply("result", result);
  }

  public void fail(String code, String text) {
    JsonObject error = new JsonObject();
    error.addProperty("code", code);
    error.addProperty("message", text);
    reply("error", error);
  }

  /** The string parameter {@code name}; {@code INVALID_PARAMS} when it is not there. */
  public String string(String name) throws ProtocolException {
    return required(name).getAsString();
  }

  /** The string parameter {@code name}, or null. */
  public String optionalString(String name) {
    JsonElement value = params.get(name);
    return value == null || value.isJsonNull() ? null : value.getAsString();
  }

  public float number(String name) throws ProtocolException {
    return required(name).getAsFloat();
  }

  /** The number {@code name}, or {@code otherwise} when it is not there. */
  public long optionalLong(String name, long otherwise) {
    JsonElement value = params.get(name);
    return value == null || value.isJsonNull() ? otherwise : value.getAsLong();
  }

  public boolean flag(String name) {
    JsonElement value = params.get(name);
    return value != null && !value.isJsonNull() && value.getAsBoolean();
  }

  private JsonElement required(String name) throws ProtocolException {
    JsonElement value = params.get(name);
    if (value == null || !value.isJsonPrimitive()) {
      throw new ProtocolException("INVALID_PARAMS", method + ": " + name + " is missing");
    }
    return value;
  }

  private void reply(String key, JsonObject body) {
    if (!answered.compareAndSet(false, true)) {
      return;
    }
    JsonObject message = new JsonObject();
    message.addProperty("id", id);
    message.add(key, body);
    channel.send(message);
    channel.closed(this);
  }
}
