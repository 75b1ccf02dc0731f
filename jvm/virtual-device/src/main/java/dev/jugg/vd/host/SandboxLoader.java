package dev.jugg.vd.host;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.inject.Named;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.bytecode.ClassInstrumentor;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.ResourceProvider;
import org.robolectric.internal.bytecode.SandboxClassLoader;
import org.robolectric.pluginapi.Sdk;

/**
 * Loads the framework. What it does not have it asks the app's loader for: framework code that looks app classes up
 * without naming a loader finds them. Found by Robolectric through META-INF/services.
 */
public class SandboxLoader extends AndroidSandbox.SdkSandboxClassLoader {
  /** Set before the loader is made, in the run that writes a class-data archive. */
  private static volatile boolean forArchive;

  private final Set<Class<?>> toLink = forArchive ? ConcurrentHashMap.newKeySet() : null;
  private volatile AppLoader app;

  public SandboxLoader(
      InstrumentationConfiguration configuration,
      @Named("runtimeSdk") Sdk runtimeSdk,
      ClassInstrumentor instrumentor) {
    super(configuration, runtimeSdk, instrumentor);
    try {
      Field field = SandboxClassLoader.class.getDeclaredField("resourceProvider");
      field.setAccessible(true);
      field.set(this, new FrameworkClasses(runtimeSdk.getJarPath(), (ResourceProvider) field.get(this)));
    } catch (ReflectiveOperationException | IOException e) {
      throw new IllegalStateException("Robolectric's class loader is not the known one", e);
    }
  }

  public void setApp(AppLoader newApp) {
    app = newApp;
  }

  static void loadForArchive() {
    forArchive = true;
  }

  /**
   * Links what has been loaded: HotSpot 17 leaves classes that are not linked out of an archive, and a third of the
   * framework's are only looked at, not used, while it boots.
   */
  public void linkAll() {
    for (Class<?> loaded : toLink) {
      try {
        // There is no call that only links; to list members HotSpot has to.
        loaded.getDeclaredConstructors();
      } catch (LinkageError e) {
        // It names a class that is not there, and could not be archived anyway.
      }
    }
  }

  @Override
  public Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    try {
      Class<?> found = super.loadClass(name, resolve);
      if (toLink != null) {
        toLink.add(found);
      }
      return found;
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
