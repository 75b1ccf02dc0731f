package dev.jugg.vd.pm;

import android.os.UserHandle;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowUserManager;

/** The one user of the device has unlocked it: its storage is open. */
@Implements(className = "android.os.UserManager", isInAndroidSdk = false)
public class UserManagerShadow extends ShadowUserManager {
  @Override
  @Implementation
  protected boolean isUserUnlocked() {
    return true;
  }

  @Override
  @Implementation
  protected boolean isUserUnlocked(UserHandle user) {
    return true;
  }

  @Implementation
  protected boolean isUserUnlocked(int user) {
    return true;
  }

  @Override
  @Implementation
  protected boolean isUserUnlockingOrUnlocked(UserHandle user) {
    return true;
  }

  @Implementation
  protected boolean isUserUnlockingOrUnlocked(int user) {
    return true;
  }
}
