package dev.jugg.vd.host;

import javax.inject.Named;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.bytecode.ClassInstrumentor;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.pluginapi.Sdk;

/**
 * Loads the framework. What it does not have it asks the app's loader for: framework code that looks app classes up
 * without naming a loader finds them. Found by Robolectric through META-INF/services.
 */
public class SandboxLoader extends AndroidSandbox.SdkSandboxClassLoader {
  private volatile AppLoader app;

  public SandboxLoader(
      InstrumentationConfiguration configuration,
      @Named("runtimeSdk") Sdk runtimeSdk,
      ClassInstrumentor instrumentor) {
    super(configuration, runtimeSdk, instrumentor);
  }

  public void setApp(AppLoader newApp) {
    app = newApp;
  }

  @Override
  public Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    try {
      return super.loadClass(name, resolve);
    } catch (ClassNotFoundException e) {
      AppLoader current = app;
      Class<?> own = current == null ? null : current.loadOwn(name);
      if (own == null) {
        throw e;
      }
      return own;
    }
  }
}
