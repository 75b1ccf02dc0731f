package dev.jugg.vd.pm;

import android.app.AppComponentFactory;
import android.app.Application;
import android.content.ContentProvider;
import android.content.Context;
import android.content.pm.ComponentInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PermissionInfo;
import android.content.pm.ProviderInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowApplication;
import org.robolectric.shadows.ShadowContentResolver;

/** What a manifest declares and the system brings to life: providers, permissions given at install. */
public final class ManifestComponents {
  private ManifestComponents() {}

  /**
   * Makes the content providers, as ActivityThread.handleBindApplication does before Application.onCreate
   * (androidx.startup and its like live there), highest initOrder first.
   */
  public static void installProviders(Application app, String processName) throws ReflectiveOperationException {
    PackageInfo info = packageInfo(app, PackageManager.GET_PROVIDERS | PackageManager.GET_META_DATA);
    if (info.providers == null) {
      return;
    }
    List<ProviderInfo> providers = new ArrayList<>(Arrays.asList(info.providers));
    providers.removeIf(provider -> !provider.enabled || !runsIn(provider, app, processName));
    providers.sort(Comparator.comparingInt((ProviderInfo provider) -> provider.initOrder).reversed());
    for (ProviderInfo provider : providers) {
      ContentProvider instance = factory(app).instantiateProvider(app.getClassLoader(), provider.name);
      instance.attachInfo(app, provider);
      for (String authority : provider.authority.split(";")) {
        ShadowContentResolver.registerProviderInternal(authority, instance);
      }
    }
  }

  /** Whether the app has a provider of this authority that runs in this process. */
  public static boolean hasProvider(Application app, String authority, String processName) {
    ProviderInfo[] providers = packageInfo(app, PackageManager.GET_PROVIDERS).providers;
    return providers != null
        && Arrays.stream(providers)
            .filter(provider -> Arrays.asList(provider.authority.split(";")).contains(authority))
            .anyMatch(provider -> runsIn(provider, app, processName));
  }

  /** Gives the requested permissions that a device gives without asking, and those in {@code granted}. */
  public static void grantPermissions(Application app, List<String> granted) {
    PackageInfo info = packageInfo(app, PackageManager.GET_PERMISSIONS);
    ShadowApplication shadow = Shadow.extract(app);
    List<String> all = new ArrayList<>(granted);
    if (info.requestedPermissions != null) {
      for (String name : info.requestedPermissions) {
        if (!isDangerous(app, name)) {
          all.add(name);
        }
      }
    }
    shadow.grantPermissions(all.toArray(new String[0]));
  }

  private static boolean isDangerous(Application app, String permission) {
    return DangerousPermissions.contains(permission) || declaredDangerous(app, permission);
  }

  private static boolean declaredDangerous(Application app, String permission) {
    try {
      PermissionInfo info = app.getPackageManager().getPermissionInfo(permission, 0);
      return info.getProtection() == PermissionInfo.PROTECTION_DANGEROUS;
    } catch (PackageManager.NameNotFoundException e) {
      return false;
    }
  }

  /** Where a component runs. */
  public static String processOf(ComponentInfo info, Context app) {
    return processOf(info, app.getApplicationInfo().processName);
  }

  /** {@code usual} is the app's own process. */
  public static String processOf(ComponentInfo info, String usual) {
    return info.processName == null ? usual : info.processName;
  }

  private static boolean runsIn(ProviderInfo provider, Application app, String processName) {
    return provider.processName == null
        || provider.multiprocess
        || provider.processName.equals(processName)
        || app.getPackageName().equals(provider.processName) && processName.equals(app.getPackageName());
  }

  /** Makes the components of the app. */
  public static AppComponentFactory factory(Application app) throws ReflectiveOperationException {
    String name = app.getApplicationInfo().appComponentFactory;
    if (name == null) {
      return new AppComponentFactory();
    }
    String full = name.startsWith(".") ? app.getPackageName() + name : name;
    return (AppComponentFactory) app.getClassLoader().loadClass(full).getDeclaredConstructor().newInstance();
  }

  private static PackageInfo packageInfo(Application app, int flags) {
    try {
      return app.getPackageManager().getPackageInfo(app.getPackageName(), flags);
    } catch (PackageManager.NameNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
