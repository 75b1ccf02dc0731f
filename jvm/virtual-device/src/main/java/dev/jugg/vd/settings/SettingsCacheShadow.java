package dev.jugg.vd.settings;

import android.content.ContentResolver;
import android.content.pm.PackageManager;
import android.net.Uri;
import dev.jugg.vd.BoundApp;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.util.ReflectionHelpers;

/** Where the framework's own Settings classes read and write: in place of the settings provider. */
@Implements(className = "android.provider.Settings$NameValueCache", isInAndroidSdk = false)
public class SettingsCacheShadow {
  private static final String SYSTEM = "system";

  @RealObject private Object real;

  @Implementation
  protected String getStringForUser(ContentResolver resolver, String name, int user) {
    return DeviceSettings.get(namespace(), name);
  }

  @Implementation
  protected boolean putStringForUser(
      ContentResolver resolver, String name, String value, String tag, boolean makeDefault, int user, boolean overrideable) {
    if (BoundApp.current() != null) {
      requirePermission();
      DeviceSettings.put(namespace(), name, value);
    }
    return true;
  }

  @Implementation
  protected boolean deleteStringForUser(ContentResolver resolver, String name, int user) {
    boolean isThere = DeviceSettings.get(namespace(), name) != null;
    putStringForUser(resolver, name, null, null, false, user, false);
    return isThere;
  }

  private String namespace() {
    Uri uri = ReflectionHelpers.getField(real, "mUri");
    return uri.getLastPathSegment();
  }

  /** The words of AOSP's SettingsProvider. */
  private void requirePermission() {
    boolean isSystem = namespace().equals(SYSTEM);
    String permission = isSystem ? "android.permission.WRITE_SETTINGS" : "android.permission.WRITE_SECURE_SETTINGS";
    if (RuntimeEnvironment.getApplication().checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED) {
      return;
    }
    throw new SecurityException(isSystem
        ? BoundApp.current().packageName() + " was not granted  this permission: " + permission + "."
        : "Permission denial: writing to settings requires:" + permission);
  }
}
