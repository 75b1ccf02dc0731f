package dev.jugg.vd.pm;

import dev.jugg.vd.BoundApp;
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
}
