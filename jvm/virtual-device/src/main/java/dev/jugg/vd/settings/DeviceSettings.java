package dev.jugg.vd.settings;

import android.animation.ValueAnimator;
import android.content.ContentResolver;
import android.net.Uri;
import android.provider.Settings;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.Device;
import dev.jugg.vd.pm.ContentResolverShadow;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;

/** A copy of the device's settings; the daemon has them. */
public final class DeviceSettings {
  /** By {@code namespace/name}. */
  private static final Map<String, String> VALUES = new ConcurrentHashMap<>();

  private DeviceSettings() {}

  /** What the device has when the process becomes an app's: {@code {system: {name: value}, secure: …, global: …}}. */
  public static void restore(JsonObject all) {
    VALUES.clear();
    for (Map.Entry<String, JsonElement> namespace : all.entrySet()) {
      for (Map.Entry<String, JsonElement> entry : namespace.getValue().getAsJsonObject().entrySet()) {
        VALUES.put(namespace.getKey() + "/" + entry.getKey(), entry.getValue().getAsString());
      }
    }
    ValueAnimator.setDurationScale(animatorScale());
  }

  /** Null for what is not set. */
  static String get(String namespace, String name) {
    return VALUES.get(namespace + "/" + name);
  }

  /** Somebody else has changed it; {@code value} is null for what is deleted. */
  public static void changed(String namespace, String name, String value) {
    if (value == null) {
      VALUES.remove(namespace + "/" + name);
    } else {
      VALUES.put(namespace + "/" + name, value);
    }
    if (name.equals(Settings.Global.ANIMATOR_DURATION_SCALE)) {
      ValueAnimator.setDurationScale(animatorScale());
    }
    ContentResolver resolver = RuntimeEnvironment.getApplication().getContentResolver();
    ContentResolverShadow shadow = Shadow.extract(resolver);
    shadow.changedElsewhere(Uri.parse("content://settings/" + namespace + "/" + name));
  }

  /** This app changes it. */
  static void put(String namespace, String name, String value) {
    JsonObject params = new JsonObject();
    params.addProperty("namespace", namespace);
    params.addProperty("name", name);
    if (value != null) {
      params.addProperty("value", value);
    }
    Device.host().channel().event("putSetting", params);
    changed(namespace, name, value);
  }

  private static float animatorScale() {
    String scale = get("global", Settings.Global.ANIMATOR_DURATION_SCALE);
    try {
      return scale == null ? 1 : Float.parseFloat(scale);
    } catch (NumberFormatException e) {
      return 1;
    }
  }
}
