package dev.jugg.vd.pm;

import dev.jugg.vd.BoundApp;
import android.os.Environment;
import java.io.File;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowEnvironment;

/** Access to all files is given by the user in the settings: here by {@code pm grant}. */
@Implements(className = "android.os.Environment", isInAndroidSdk = false)
public class EnvironmentShadow extends ShadowEnvironment {
  private static final String ALL_FILES = "android.permission.MANAGE_EXTERNAL_STORAGE";

  @Implementation
  protected static boolean isExternalStorageManager() {
    BoundApp app = BoundApp.current();
    return app != null && app.grantedPermissions().contains(ALL_FILES);
  }

  @Implementation
  protected static boolean isExternalStorageManager(File path) {
    return isExternalStorageManager();
  }

  /** As AOSP's Environment.UserEnvironment lays them out. */
  @Implementation
  protected static File[] buildExternalStorageAppFilesDirs(String packageName) {
    return below("data", packageName, "files");
  }

  @Implementation
  protected static File[] buildExternalStorageAppCacheDirs(String packageName) {
    return below("data", packageName, "cache");
  }

  @Implementation
  protected static File[] buildExternalStorageAppObbDirs(String packageName) {
    return below("obb", packageName, "");
  }

  @Implementation
  protected static File[] buildExternalStorageAppMediaDirs(String packageName) {
    return below("media", packageName, "");
  }

  private static File[] below(String kind, String packageName, String folder) {
    File own = new File(Environment.getExternalStorageDirectory(), "Android/" + kind + "/" + packageName);
    return new File[] {folder.isEmpty() ? own : new File(own, folder)};
  }
}
