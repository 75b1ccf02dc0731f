package dev.jugg.vd.config;

import android.content.res.Resources;
import android.content.res.loader.ResourcesLoader;
import dev.jugg.vd.BoundApp;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowResources;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Methods that came with Android 11 are not there on a device that shall be older. */
@Implements(className = "android.content.res.Resources", isInAndroidSdk = false)
public class ResourcesShadow extends ShadowResources {
  @RealObject private Resources real;

  @Implementation
  protected void addLoaders(ResourcesLoader... loaders) {
    require("addLoaders");
    Shadow.directlyOn(real, Resources.class, "addLoaders", ClassParameter.from(ResourcesLoader[].class, loaders));
  }

  @Implementation
  protected void removeLoaders(ResourcesLoader... loaders) {
    require("removeLoaders");
    Shadow.directlyOn(real, Resources.class, "removeLoaders", ClassParameter.from(ResourcesLoader[].class, loaders));
  }

  /** The framework inside is newer, and calls them for itself. */
  private static boolean calledFromApp(BoundApp app) {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(frames -> frames
            .map(StackWalker.StackFrame::getDeclaringClass)
            .filter(caller -> caller != ResourcesShadow.class && caller != Resources.class)
            .filter(caller -> !caller.getName().startsWith("org.robolectric."))
            .findFirst())
        .map(caller -> isOfApp(caller.getClassLoader(), app.loader()))
        .orElse(false);
  }

  private static boolean isOfApp(ClassLoader loader, ClassLoader app) {
    return loader != null && (loader == app || isOfApp(loader.getParent(), app));
  }

  /** In the words of ART. */
  private static void require(String method) {
    BoundApp app = BoundApp.current();
    if (app != null && app.withoutResourcesLoader() && calledFromApp(app)) {
      throw new NoSuchMethodError(
          "No virtual method " + method + "([Landroid/content/res/loader/ResourcesLoader;)V in class"
              + " Landroid/content/res/Resources; or its super classes (declaration of"
              + " 'android.content.res.Resources' appears in /system/framework/framework.jar)");
    }
  }
}
