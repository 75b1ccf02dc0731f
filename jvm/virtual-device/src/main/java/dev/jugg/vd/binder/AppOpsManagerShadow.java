package dev.jugg.vd.binder;

import android.os.Process;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowAppOpsManager;

/** Packages of other apps have their own uids, which this process does not know; the daemon says who calls. */
@Implements(className = "android.app.AppOpsManager", isInAndroidSdk = false)
public class AppOpsManagerShadow extends ShadowAppOpsManager {
  @Override
  @Implementation
  protected void checkPackage(int uid, String packageName) {
    if (uid == Process.myUid()) {
      super.checkPackage(uid, packageName);
    }
  }
}
