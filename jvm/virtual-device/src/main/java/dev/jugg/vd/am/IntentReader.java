package dev.jugg.vd.am;

import android.content.ComponentName;
import android.content.Intent;
import android.net.Uri;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.host.protocol.ProtocolException;
import java.util.Map;

/** Intents in the protocol's form. */
public final class IntentReader {
  private IntentReader() {}

  public static Intent read(JsonObject json) throws ProtocolException {
    Intent intent = new Intent(text(json, "action"));
    String data = text(json, "data");
    String type = text(json, "type");
    if (data != null) {
      intent.setDataAndType(Uri.parse(data), type);
    } else if (type != null) {
      intent.setType(type);
    }
    String whole = text(json, "parcel");
    if (whole != null) {
      intent = IntentParcel.read(whole);
    }
    String component = text(json, "component");
    if (component != null) {
      ComponentName name = ComponentName.unflattenFromString(component);
      if (name == null) {
        throw new ProtocolException("INVALID_PARAMS", "component is not package/class: " + component);
      }
      intent.setComponent(name);
    }
    String packageName = text(json, "packageName");
    if (packageName != null && component == null) {
      intent.setPackage(packageName);
    }
    if (whole == null && json.has("categories")) {
      for (JsonElement category : json.getAsJsonArray("categories")) {
        intent.addCategory(category.getAsString());
      }
    }
    if (json.has("flags")) {
      intent.addFlags((int) json.get("flags").getAsLong());
    }
    if (whole == null && json.has("extras")) {
      for (Map.Entry<String, JsonElement> extra : json.getAsJsonObject("extras").entrySet()) {
        putExtra(intent, extra.getKey(), extra.getValue().getAsJsonObject());
      }
    }
    return intent;
  }

  /**
   * What the daemon needs to find and start a component of another app. It knows extras of plain types; all of the intent
   * goes along for the other process, unless it holds something that cannot leave this one.
   */
  public static JsonObject write(Intent intent) {
    JsonObject json = new JsonObject();
    String whole = IntentParcel.write(intent);
    if (whole != null) {
      json.addProperty("parcel", whole);
    }
    JsonArray uris = IntentParcel.grantedUris(intent);
    if (!uris.isEmpty()) {
      json.add("grantedUris", uris);
    }
    if (intent.getPackage() != null) {
      json.addProperty("packageName", intent.getPackage());
    }
    if (intent.getComponent() != null) {
      json.addProperty("component", intent.getComponent().flattenToString());
    }
    if (intent.getAction() != null) {
      json.addProperty("action", intent.getAction());
    }
    if (intent.getDataString() != null) {
      json.addProperty("data", intent.getDataString());
    }
    if (intent.getType() != null) {
      json.addProperty("type", intent.getType());
    }
    if (intent.getCategories() != null) {
      JsonArray categories = new JsonArray();
      intent.getCategories().forEach(categories::add);
      json.add("categories", categories);
    }
    json.addProperty("flags", intent.getFlags());
    if (intent.getExtras() != null) {
      json.add("extras", extras(intent));
    }
    return json;
  }

  private static JsonObject extras(Intent intent) {
    JsonObject extras = new JsonObject();
    for (String name : intent.getExtras().keySet()) {
      @SuppressWarnings("deprecation")
      Object value = intent.getExtras().get(name);
      String type = typeOf(value);
      if (type != null) {
        JsonObject extra = new JsonObject();
        extra.addProperty("type", type);
        extra.addProperty("value", value.toString());
        extras.add(name, extra);
      }
    }
    return extras;
  }

  private static String typeOf(Object value) {
    if (value instanceof String) {
      return "string";
    }
    if (value instanceof Integer) {
      return "int";
    }
    if (value instanceof Boolean) {
      return "bool";
    }
    if (value instanceof Long) {
      return "long";
    }
    return value instanceof Float ? "float" : null;
  }

  private static void putExtra(Intent intent, String name, JsonObject extra) throws ProtocolException {
    String value = extra.get("value").getAsString();
    try {
      ExtraKinds.put(intent, name, extra.get("type").getAsString(), value);
    } catch (NumberFormatException e) {
      throw new ProtocolException("INVALID_PARAMS", "extra " + name + " is no number: " + value);
    }
  }

  private static String text(JsonObject json, String key) {
    JsonElement value = json.get(key);
    return value == null || value.isJsonNull() ? null : value.getAsString();
  }
}
