package dev.jugg.vd.broadcast;

import android.content.Intent;
import android.content.IntentFilter;
import java.util.Iterator;
import java.util.Set;

/** Broadcasts that only the system sends ({@code protected-broadcast} in AOSP's core/res/AndroidManifest.xml). */
final class ProtectedBroadcasts {
  private static final Set<String> UNPROTECTED = Set.of(
      Intent.ACTION_CLOSE_SYSTEM_DIALOGS,
      Intent.ACTION_MEDIA_BUTTON,
      Intent.ACTION_MEDIA_SCANNER_SCAN_FILE,
      "android.appwidget.action.APPWIDGET_UPDATE");

  private ProtectedBroadcasts() {}

  /** By the names that the platform keeps for itself; the list itself is not part of the framework's classes. */
  static boolean contains(String action) {
    return action != null
        && (action.startsWith("android.intent.action.")
            || action.startsWith("android.net.")
            || action.startsWith("android.bluetooth.")
            || action.startsWith("android.os.action.")
            || action.startsWith("android.app.action.")
            || action.startsWith("android.media."))
        && !UNPROTECTED.contains(action);
  }

  static boolean isOnly(IntentFilter filter) {
    for (Iterator<String> actions = filter.actionsIterator(); actions != null && actions.hasNext(); ) {
      if (!contains(actions.next())) {
        return false;
      }
    }
    return filter.countActions() > 0;
  }
}
