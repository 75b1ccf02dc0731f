package dev.jugg.vd.am;

import android.app.ActivityThread;
import android.app.LoadedApk;
import android.content.pm.ApplicationInfo;
import android.content.res.CompatibilityInfo;
import android.os.Bundle;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.DeviceServices;
import dev.jugg.vd.broadcast.BroadcastQueue;
import dev.jugg.vd.instrument.AppInstrumentation;
import dev.jugg.vd.pm.PackageParserShadow;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.robolectric.annotation.ClassName;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivityThread;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** The process's own thread object: knows where the bound app lives, and survives questions that Robolectric does not know. */
@Implements(className = "android.app.ActivityThread", isInAndroidSdk = false)
public class ActivityThreadShadow extends ShadowActivityThread {
  @RealObject private ActivityThread real;

  /** Robolectric's package manager proxy throws for what it does not know; the real ActivityThread asks more. */
  @Implementation
  public static @ClassName("android.content.pm.IPackageManager") Object getPackageManager() {
    Object base = ShadowActivityThread.getPackageManager();
    Class<?> type = base.getClass().getInterfaces()[0];
    InvocationHandler known = Proxy.getInvocationHandler(base);
    return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
      try {
        return known.invoke(base, method, arguments);
      } catch (UnsupportedOperationException e) {
        return ReflectionHelpers.defaultValueForType(method.getReturnType().getName());
      }
    });
  }

  /** A test runner is done. */
  @Implementation
  protected void finishInstrumentation(int code, Bundle results) {
    AppInstrumentation.finished(code, results);
  }

  /** Called once for the app before its context is made: the last moment to say where its data is. */
  @Implementation
  protected LoadedApk getPackageInfo(ApplicationInfo info, CompatibilityInfo compatibility, int flags) {
    BoundApp app = BoundApp.current();
    if (app != null && app.packageName().equals(info.packageName)) {
      app.complete(info);
      DeviceServices.prepare(app);
      // Known from here on: Application.onCreate may already send to them.
      BroadcastQueue.instance().declare(PackageParserShadow.last(), app.processName());
      Object bound = ReflectionHelpers.getField(real, "mBoundApplication");
      if (bound != null) {
        ReflectionHelpers.setField(bound, "processName", app.processName());
      }
    }
    return Shadow.directlyOn(
        real,
        ActivityThread.class,
        "getPackageInfo",
        ClassParameter.from(ApplicationInfo.class, info),
        ClassParameter.from(CompatibilityInfo.class, compatibility),
        ClassParameter.from(int.class, flags));
  }
}
