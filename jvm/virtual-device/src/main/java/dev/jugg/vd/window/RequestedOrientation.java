package dev.jugg.vd.window;

import android.content.pm.ActivityInfo;
import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.Device;
import dev.jugg.vd.am.ActivityRecord;
import dev.jugg.vd.am.ActivityTasks;
import dev.jugg.vd.config.ConfigurationChange;
import dev.jugg.vd.config.ScreenConfiguration;

/** How the top activity wants the screen to be turned, by its manifest or its calls. The daemon turns the screen. */
public final class RequestedOrientation {
  private static final String ANY = "any";
  private static final String PORTRAIT = "portrait";
  private static final String LANDSCAPE = "landscape";
  private static String told = ANY;

  private RequestedOrientation() {}

  /** Tells the daemon when something is new. Main thread only. */
  public static void update(ActivityTasks tasks) {
    ActivityRecord top = tasks.top();
    if (BoundApp.current() == null || top == null || wanted(top, tasks).equals(told)) {
      return;
    }
    told = wanted(top, tasks);
    JsonObject params = new JsonObject();
    params.addProperty("wanted", told);
    Device.host().channel().event("orientation", params);
  }

  /** A new activity begins on a screen that is turned already: nothing is made twice. */
  public static void turnFor(ActivityRecord record, ActivityTasks tasks) {
    ScreenConfiguration screen = ScreenConfiguration.current();
    boolean isLandscape = screen.widthPx() > screen.heightPx();
    String wanted = wanted(record, tasks);
    if (BoundApp.current() == null || wanted.equals(ANY) || wanted.endsWith(LANDSCAPE) == isLandscape) {
      return;
    }
    JsonObject turned = new JsonObject();
    turned.addProperty("widthPx", screen.heightPx());
    turned.addProperty("heightPx", screen.widthPx());
    ConfigurationChange.applyForNew(turned);
  }

  private static String wanted(ActivityRecord record, ActivityTasks tasks) {
    ScreenConfiguration screen = ScreenConfiguration.current();
    return switch (record.orientation()) {
      case ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_SENSOR_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_USER_LANDSCAPE -> LANDSCAPE;
      case ActivityInfo.SCREEN_ORIENTATION_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_SENSOR_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_USER_PORTRAIT -> PORTRAIT;
      case ActivityInfo.SCREEN_ORIENTATION_REVERSE_LANDSCAPE -> "reverse-landscape";
      case ActivityInfo.SCREEN_ORIENTATION_REVERSE_PORTRAIT -> "reverse-portrait";
      case ActivityInfo.SCREEN_ORIENTATION_LOCKED -> screen.widthPx() > screen.heightPx() ? LANDSCAPE : PORTRAIT;
      case ActivityInfo.SCREEN_ORIENTATION_BEHIND -> behind(record, tasks);
      default -> ANY;
    };
  }

  private static String behind(ActivityRecord record, ActivityTasks tasks) {
    ActivityRecord below = tasks.below(record);
    return below == null ? ANY : wanted(below, tasks);
  }
}
