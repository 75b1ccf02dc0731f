package dev.jugg.vd;

import android.app.Instrumentation;
import dev.jugg.vd.config.ScreenConfiguration;
import javax.inject.Named;
import org.robolectric.android.internal.AndroidTestEnvironment;
import org.robolectric.internal.ShadowProvider;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.TestEnvironmentLifecyclePlugin;

/** Robolectric's set-up of the framework with our own instrumentation and the exact screen size. */
public final class DeviceEnvironment extends AndroidTestEnvironment {
  public DeviceEnvironment(
      @Named("runtimeSdk") Sdk runtimeSdk,
      @Named("compileSdk") Sdk compileSdk,
      ShadowProvider[] shadowProviders,
      TestEnvironmentLifecyclePlugin[] plugins) {
    super(runtimeSdk, compileSdk, shadowProviders, plugins);
  }

  /** Called after the display is known and before the application is made. */
  @Override
  protected Instrumentation pickInstrumentation() {
    ScreenConfiguration.current().applyExactSizeAtSetUp();
    return new DeviceInstrumentation();
  }
}
