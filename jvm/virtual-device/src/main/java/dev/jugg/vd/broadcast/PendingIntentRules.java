package dev.jugg.vd.broadcast;

import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.os.Build;
import dev.jugg.vd.BoundApp;

/** What the target SDK forbids ({@code PendingIntent.checkPendingIntent}, which Robolectric goes around). */
final class PendingIntentRules {
  private PendingIntentRules() {}

  static void check(Context context, int flags, Intent... intents) {
    if (BoundApp.current() == null) {
      return;
    }
    int target = context.getApplicationInfo().targetSdkVersion;
    boolean mutable = (flags & PendingIntent.FLAG_MUTABLE) != 0;
    boolean immutable = (flags & PendingIntent.FLAG_IMMUTABLE) != 0;
    if (mutable && immutable) {
      throw new IllegalArgumentException("Cannot set both FLAG_IMMUTABLE and FLAG_MUTABLE for PendingIntent");
    }
    if (target >= Build.VERSION_CODES.S && !mutable && !immutable) {
      throw new IllegalArgumentException(context.getPackageName() + ": Targeting S+ (version " + Build.VERSION_CODES.S
          + " and above) requires that one of FLAG_IMMUTABLE or FLAG_MUTABLE be specified when creating a PendingIntent.\n"
          + "Strongly consider using FLAG_IMMUTABLE, only use FLAG_MUTABLE if some functionality depends on the"
          + " PendingIntent being mutable, e.g. if it needs to be used with inline replies or bubbles.");
    }
    int allowed = PendingIntent.FLAG_NO_CREATE | PendingIntent.FLAG_ALLOW_UNSAFE_IMPLICIT_INTENT;
    if (target >= Build.VERSION_CODES.UPSIDE_DOWN_CAKE && mutable && (flags & allowed) == 0) {
      for (Intent intent : intents) {
        if (intent.getComponent() == null && intent.getPackage() == null) {
          throw new IllegalArgumentException(context.getPackageName() + ": Targeting U+ (version "
              + Build.VERSION_CODES.UPSIDE_DOWN_CAKE + " and above) disallows creating or retrieving a PendingIntent with"
              + " FLAG_MUTABLE, an implicit Intent within and without FLAG_NO_CREATE and"
              + " FLAG_ALLOW_UNSAFE_IMPLICIT_INTENT for security reasons.");
        }
      }
    }
  }
}
