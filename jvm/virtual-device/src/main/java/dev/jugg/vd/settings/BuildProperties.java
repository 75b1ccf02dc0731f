package dev.jugg.vd.settings;

import android.os.Build;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Map;
import java.util.function.Consumer;
import org.robolectric.shadows.ShadowBuild;
import org.robolectric.shadows.ShadowSystemProperties;
import org.robolectric.util.ReflectionHelpers;

/** What {@code getprop} says of the device, for apps. Its version is left out: the framework inside is always the same. */
public final class BuildProperties {
  private BuildProperties() {}

  public static void apply(JsonObject properties) {
    for (Map.Entry<String, JsonElement> entry : properties.entrySet()) {
      if (!entry.getKey().startsWith("ro.build.version.")) {
        ShadowSystemProperties.override(entry.getKey(), entry.getValue().getAsString());
      }
    }
    set(properties, "ro.product.model", ShadowBuild::setModel);
    set(properties, "ro.product.manufacturer", ShadowBuild::setManufacturer);
    set(properties, "ro.product.brand", ShadowBuild::setBrand);
    set(properties, "ro.product.device", ShadowBuild::setDevice);
    set(properties, "ro.product.name", ShadowBuild::setProduct);
    set(properties, "ro.product.board", ShadowBuild::setBoard);
    set(properties, "ro.hardware", ShadowBuild::setHardware);
    set(properties, "ro.build.fingerprint", ShadowBuild::setFingerprint);
    set(properties, "ro.build.id", ShadowBuild::setId);
    set(properties, "ro.build.tags", ShadowBuild::setTags);
    set(properties, "ro.build.type", ShadowBuild::setType);
    set(properties, "ro.product.cpu.abilist", list -> {
      String[] all = list.split(",");
      ShadowBuild.setSupportedAbis(all);
      ReflectionHelpers.setStaticField(Build.class, "CPU_ABI", all[0]);
      ReflectionHelpers.setStaticField(Build.class, "CPU_ABI2", all.length > 1 ? all[1] : "");
    });
    set(properties, "ro.product.cpu.abilist64", list -> ShadowBuild.setSupported64BitAbis(split(list)));
    set(properties, "ro.product.cpu.abilist32", list -> ShadowBuild.setSupported32BitAbis(split(list)));
  }

  private static String[] split(String list) {
    return list.isEmpty() ? new String[0] : list.split(",");
  }

  private static void set(JsonObject properties, String name, Consumer<String> setter) {
    if (properties.has(name)) {
      setter.accept(properties.get(name).getAsString());
    }
  }
}
