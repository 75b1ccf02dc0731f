package dev.jugg.client;

import android.app.Application;
import android.net.Uri;
import android.util.Log;

/** Needs another app before it is started itself. */
public class ClientApp extends Application {
  @Override
  public void onCreate() {
    super.onCreate();
    Uri rows = Uri.parse("content://dev.jugg.fixture.rows/all");
    Log.i("Fixture", "client early: " + getContentResolver().getType(rows));
  }
}
