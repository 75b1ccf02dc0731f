package dev.jugg.vd.job;

import android.app.JobSchedulerImpl;
import android.app.job.IJobScheduler;
import android.content.Context;
import dev.jugg.vd.am.Proxies;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** The framework's own job scheduler, which asks {@link Jobs}. */
@Implements(className = "android.app.JobSchedulerImpl", isInAndroidSdk = false)
public class JobSchedulerShadow {
  private static final IJobScheduler SERVICE =
      Proxies.create(IJobScheduler.class, (method, arguments) -> Jobs.instance().call(method, arguments));

  @RealObject private JobSchedulerImpl real;

  /** The one that the public constructor calls. */
  @Implementation
  protected void __constructor__(Context context, IJobScheduler service, String namespace) {
    Shadow.invokeConstructor(
        JobSchedulerImpl.class,
        real,
        ClassParameter.from(Context.class, context),
        ClassParameter.from(IJobScheduler.class, SERVICE),
        ClassParameter.from(String.class, namespace));
  }
}
