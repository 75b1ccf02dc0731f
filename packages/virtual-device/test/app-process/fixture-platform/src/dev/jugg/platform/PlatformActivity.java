package dev.jugg.platform;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;

/** Does what the extra "part" names. */
public class PlatformActivity extends Activity {
  static final String TAG = "Platform";

  @Override
  protected void onPostResume() {
    super.onPostResume();
    if ("web".equals(getIntent().getStringExtra("part"))) {
      getWindow().getDecorView().post(() -> Facts.logProcess(this));
    }
  }

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    switch (String.valueOf(getIntent().getStringExtra("part"))) {
      case "services":
        for (Class<?> service : KeptService.ALL) {
          startService(new Intent(this, service).putExtra("word", "one"));
          startService(new Intent(this, service).putExtra("word", "two"));
        }
        break;
      case "foreground":
        startForegroundService(new Intent(this, FrontService.class));
        startForegroundService(new Intent(this, FrontService.Typed.class));
        break;
      case "late":
        startForegroundService(new Intent(this, FrontService.class).putExtra("stop", true));
        break;
      case "notifications":
        Notes.post(this);
        break;
      case "package":
        Facts.log(this);
        break;
      case "web":
        Web.show(this);
        break;
      case "network":
        Network.use();
        break;
      default:
        break;
    }
  }
}
