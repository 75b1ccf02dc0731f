package dev.jugg.vd.am;

import dev.jugg.vd.BoundApp;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowContextImpl;

/** Contexts answer with the app's own class loader. */
@Implements(className = "android.app.ContextImpl", isInAndroidSdk = false)
public class ContextImplShadow extends ShadowContextImpl {
  @Override
  @Implementation
  protected ClassLoader getClassLoader() {
    BoundApp app = BoundApp.current();
    return app == null ? super.getClassLoader() : app.loader();
  }
}
