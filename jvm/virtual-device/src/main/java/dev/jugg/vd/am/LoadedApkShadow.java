package dev.jugg.vd.am;

import android.app.ActivityThread;
import android.app.AppComponentFactory;
import android.app.LoadedApk;
import android.content.Context;
import android.content.pm.PackageInfo;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.instrument.AppInstrumentation;
import dev.jugg.vd.instrument.RunnerFactory;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowLoadedApk;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** The app's classes come from the app's own loader; its application from who tests it. */
@Implements(className = "android.app.LoadedApk", isInAndroidSdk = false)
public class LoadedApkShadow extends ShadowLoadedApk {
  @RealObject private LoadedApk real;

  @Override
  @Implementation
  public ClassLoader getClassLoader() {
    ClassLoader sandbox = super.getClassLoader();
    BoundApp app = BoundApp.current();
    return app == null ? sandbox : app.loader();
  }

  /** Asked first for the application: the test runner makes that one, which asks in turn. */
  @Implementation
  protected AppComponentFactory getAppFactory() {
    BoundApp app = BoundApp.current();
    if (app != null && app.packageName().equals(real.getPackageName())) {
      completeInstalled(app);
    }
    if (app != null && app.testRun() != null && !AppInstrumentation.hasRunner() && app.packageName().equals(real.getPackageName())) {
      return new RunnerFactory(app.testRun(), this::newContext);
    }
    return Shadow.directlyOn(real, LoadedApk.class, "getAppFactory");
  }

  /** What the package manager tells of the app is another object than the one that the process was bound with. */
  private static void completeInstalled(BoundApp app) {
    ShadowPackageManager packages = Shadow.extract(RuntimeEnvironment.systemContext.getPackageManager());
    PackageInfo installed = packages.getInternalMutablePackageInfo(app.packageName());
    if (installed != null) {
      app.complete(installed.applicationInfo);
    }
  }

  private Context newContext() {
    try {
      return ReflectionHelpers.callStaticMethod(
          Class.forName("android.app.ContextImpl"),
          "createAppContext",
          ClassParameter.from(ActivityThread.class, RuntimeEnvironment.getActivityThread()),
          ClassParameter.from(LoadedApk.class, real));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
