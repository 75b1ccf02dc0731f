package dev.jugg.vd.instrument;

import android.app.Application;
import android.content.Context;
import java.util.concurrent.Callable;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowApplication;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** An application that a test runner makes gets its context where Robolectric gives it, once. */
@Implements(className = "android.app.Application", isInAndroidSdk = false)
public class ApplicationShadow extends ShadowApplication {
  private static boolean postponed;

  @RealObject private Application application;

  static Application withoutAttaching(Callable<Application> make) throws Exception {
    postponed = true;
    try {
      return make.call();
    } finally {
      postponed = false;
    }
  }

  @Implementation
  protected void attach(Context context) {
    if (!postponed) {
      Shadow.directlyOn(application, Application.class, "attach", ClassParameter.from(Context.class, context));
    }
  }
}
