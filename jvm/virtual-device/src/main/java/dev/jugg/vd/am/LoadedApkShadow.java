package dev.jugg.vd.am;

import dev.jugg.vd.BoundApp;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowLoadedApk;

/** The app's classes come from the app's own loader. */
@Implements(className = "android.app.LoadedApk", isInAndroidSdk = false)
public class LoadedApkShadow extends ShadowLoadedApk {
  @Override
  @Implementation
  public ClassLoader getClassLoader() {
    ClassLoader sandbox = super.getClassLoader();
    BoundApp app = BoundApp.current();
    return app == null ? sandbox : app.loader();
  }
}
