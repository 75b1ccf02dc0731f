package dev.jugg.vd;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names what an app needs and the virtual device does not have, from what the app died of. */
final class MissingParts {
  private static final List<String> SYSTEM =
      List.of("android.", "java.", "javax.", "dalvik.", "com.android.internal.", "org.apache.http.");
  private static final List<String> GOOGLE = List.of("com.google.android.gms.", "com.google.android.play.");

  /** HotSpot's text of a method that is not there: {@code 'void a.b.C.method(int)'}. */
  private static final Pattern METHOD = Pattern.compile("([\\w$.]+)\\.([\\w$<>]+)\\(");

  private MissingParts() {}

  /** One sentence for people, or null when it was something else. */
  static String named(Throwable error) {
    String message = String.valueOf(error.getMessage());
    if (error instanceof UnsatisfiedLinkError) {
      return "The app needs native code, of which the virtual device loads none: " + message;
    }
    if (error instanceof NoSuchMethodError) {
      Matcher method = METHOD.matcher(message);
      return method.find() && startsWith(method.group(1), SYSTEM)
          ? inNewerAndroid(method.group(1) + "." + method.group(2))
          : null;
    }
    if (error instanceof NoClassDefFoundError || error instanceof ClassNotFoundException) {
      String name = message.replace('/', '.');
      if (startsWith(name, SYSTEM)) {
        return inNewerAndroid(name);
      }
      return startsWith(name, GOOGLE)
          ? "The app needs " + name + " of Google Play services: it is not in the APK, and the virtual device has none."
          : null;
    }
    return null;
  }

  private static String inNewerAndroid(String name) {
    BoundApp app = BoundApp.current();
    if (app != null && app.withoutResourcesLoader() && name.startsWith("android.content.res.loader.")) {
      return "The app needs " + name + ", which this device does not have: it is older than Android 11, or was told to be"
          + " (fault resources-loader-missing).";
    }
    return "The app needs " + name + ", which is not in the virtual device's framework (Android 15, API 35): it is of a "
        + "newer version, of a vendor, or was removed.";
  }

  private static boolean startsWith(String name, List<String> prefixes) {
    return prefixes.stream().anyMatch(name::startsWith);
  }
}
