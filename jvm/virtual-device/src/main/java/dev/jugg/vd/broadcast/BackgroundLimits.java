package dev.jugg.vd.broadcast;

import android.content.Intent;
import android.os.Build;
import java.util.Set;

/** Which broadcasts that name no app still reach receivers of manifests since Android 8. */
final class BackgroundLimits {
  /** {@code Intent.FLAG_RECEIVER_INCLUDE_BACKGROUND}: the system says so of those that are exempt. */
  private static final int INCLUDE_BACKGROUND = 0x01000000;

  /** developer.android.com "Implicit broadcast exceptions", those that this device can send. */
  private static final Set<String> EXEMPT = Set.of(
      Intent.ACTION_BOOT_COMPLETED,
      Intent.ACTION_LOCKED_BOOT_COMPLETED,
      Intent.ACTION_USER_INITIALIZE,
      "android.intent.action.TIME_SET",
      Intent.ACTION_TIMEZONE_CHANGED,
      Intent.ACTION_LOCALE_CHANGED,
      Intent.ACTION_PACKAGE_DATA_CLEARED,
      Intent.ACTION_PACKAGE_FULLY_REMOVED,
      Intent.ACTION_MEDIA_MOUNTED,
      Intent.ACTION_MEDIA_EJECT,
      Intent.ACTION_MEDIA_UNMOUNTED);

  private BackgroundLimits() {}

  static boolean reachesManifests(Intent intent, int targetSdk) {
    return targetSdk < Build.VERSION_CODES.O
        || intent.getPackage() != null
        || (intent.getFlags() & INCLUDE_BACKGROUND) != 0
        || EXEMPT.contains(intent.getAction());
  }
}
