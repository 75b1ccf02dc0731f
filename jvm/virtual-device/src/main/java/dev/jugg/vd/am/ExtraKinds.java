package dev.jugg.vd.am;

import android.content.ComponentName;
import android.content.Intent;
import android.net.Uri;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Extras of an intent by the kinds that {@code am} knows (AOSP Intent.parseCommandArgs). */
final class ExtraKinds {
  private ExtraKinds() {}

  static void put(Intent intent, String name, String kind, String value) {
    switch (kind) {
      case "int" -> intent.putExtra(name, (int) Integer.decode(value));
      case "long" -> intent.putExtra(name, (long) Long.valueOf(value));
      case "float" -> intent.putExtra(name, Float.parseFloat(value));
      case "double" -> intent.putExtra(name, Double.parseDouble(value));
      case "bool" -> intent.putExtra(name, Boolean.parseBoolean(value));
      case "null" -> intent.putExtra(name, (String) null);
      case "uri" -> intent.putExtra(name, Uri.parse(value));
      case "component" -> intent.putExtra(name, ComponentName.unflattenFromString(value));
      case "ints" -> intent.putExtra(name, list(value, Integer::decode).stream().mapToInt(Integer::intValue).toArray());
      case "longs" -> intent.putExtra(name, list(value, Long::valueOf).stream().mapToLong(Long::longValue).toArray());
      case "doubles" ->
          intent.putExtra(name, list(value, Double::valueOf).stream().mapToDouble(Double::doubleValue).toArray());
      case "floats" -> intent.putExtra(name, floats(list(value, Float::valueOf)));
      case "intList" -> intent.putExtra(name, list(value, Integer::decode));
      case "longList" -> intent.putExtra(name, list(value, Long::valueOf));
      case "floatList" -> intent.putExtra(name, list(value, Float::valueOf));
      case "doubleList" -> intent.putExtra(name, list(value, Double::valueOf));
      case "strings" -> intent.putExtra(name, words(value));
      case "stringList" -> intent.putExtra(name, new ArrayList<>(Arrays.asList(words(value))));
      default -> intent.putExtra(name, value);
    }
  }

  /** Split on commas but for those behind a backslash, which Android leaves where it is. */
  private static String[] words(String value) {
    return value.split("(?<!\\\\),");
  }

  private static <T> ArrayList<T> list(String value, Function<String, T> read) {
    return Arrays.stream(value.split(",")).map(read).collect(Collectors.toCollection(ArrayList::new));
  }

  private static float[] floats(List<Float> values) {
    float[] all = new float[values.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = values.get(i);
    }
    return all;
  }
}
