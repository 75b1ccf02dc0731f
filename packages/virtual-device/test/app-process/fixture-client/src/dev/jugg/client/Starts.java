package dev.jugg.client;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.net.Uri;
import android.provider.Settings;
import android.util.Log;

/** Starts activities of other apps, by what they can do. */
final class Starts {
  private Starts() {}

  static void all(Activity activity) {
    attempt(activity, "nobody", new Intent("dev.jugg.fixture.NOBODY"));
    attempt(activity, "unexported", new Intent().setClassName("dev.jugg.fixture", "dev.jugg.fixture.SecureActivity"));
    attempt(activity, "missing", new Intent().setClassName("dev.jugg.fixture", "dev.jugg.fixture.None"));
    attempt(activity, "details",
        new Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, Uri.fromParts("package", activity.getPackageName(), null)));
    Intent send = new Intent("dev.jugg.fixture.SHOW").setType("text/plain").putExtra(Intent.EXTRA_TEXT, "shared");
    attempt(activity, "chooser", Intent.createChooser(send, "Share"));
  }

  private static void attempt(Activity activity, String what, Intent intent) {
    String result = "started";
    try {
      activity.startActivity(intent);
    } catch (ActivityNotFoundException e) {
      result = "not found";
    } catch (SecurityException e) {
      result = e.getMessage().replaceAll("pid=\\d+, uid=\\d+", "ids").replaceAll("starting Intent \\{.*\\} from", "starting it from");
    }
    Log.i("Fixture", "client " + what + ": " + result);
  }
}
