package dev.jugg.vd.config;

import android.app.ActivityThread;
import android.content.res.Configuration;
import com.google.gson.JsonObject;
import dev.jugg.vd.am.ActivityTasks;
import dev.jugg.vd.window.ScreenLayout;
import org.robolectric.RuntimeEnvironment;

/** Rotation, resize, night mode, locale, font scale while the app runs. Main thread only. */
public final class ConfigurationChange {
  private ConfigurationChange() {}

  public static void apply(JsonObject changes, ActivityTasks tasks) {
    if (applyForNew(changes)) {
      tasks.configurationChanged();
      ScreenLayout.instance().update();
    }
  }

  /** The same without telling the activities that there are: they see it when they come back. False when nothing is new. */
  public static boolean applyForNew(JsonObject changes) {
    ScreenConfiguration before = ScreenConfiguration.current();
    ScreenConfiguration after = before.with(changes);
    if (after.sameAs(before)) {
      return false;
    }
    ScreenConfiguration.use(after);
    after.applyWhileRunning();
    ActivityThread thread = (ActivityThread) RuntimeEnvironment.getActivityThread();
    Configuration now = new Configuration(RuntimeEnvironment.getApplication().getResources().getConfiguration());
    now.fontScale = after.fontScale();
    thread.handleConfigurationChanged(now, 0);
    return true;
  }
}
