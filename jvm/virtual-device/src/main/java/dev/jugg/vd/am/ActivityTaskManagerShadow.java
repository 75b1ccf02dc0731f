package dev.jugg.vd.am;

import android.app.IActivityTaskManager;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

/** The framework's way to the activity task manager. */
@Implements(className = "android.app.ActivityTaskManager", isInAndroidSdk = false)
public class ActivityTaskManagerShadow {
  @Implementation
  protected static IActivityTaskManager getService() {
    return TaskServices.manager();
  }
}
