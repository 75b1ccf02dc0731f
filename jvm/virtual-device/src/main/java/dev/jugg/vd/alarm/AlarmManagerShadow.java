package dev.jugg.vd.alarm;

import android.app.AlarmManager;
import android.app.IAlarmManager;
import android.content.Context;
import dev.jugg.vd.am.Proxies;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** The framework's own alarm manager, which asks {@link Alarms}. */
@Implements(className = "android.app.AlarmManager", isInAndroidSdk = false)
public class AlarmManagerShadow {
  private static final IAlarmManager SERVICE = Proxies.create(IAlarmManager.class, Alarms::call);

  @RealObject private AlarmManager real;

  @Implementation
  protected void __constructor__(IAlarmManager service, Context context) {
    Shadow.invokeConstructor(
        AlarmManager.class,
        real,
        ClassParameter.from(IAlarmManager.class, SERVICE),
        ClassParameter.from(Context.class, context));
  }
}
