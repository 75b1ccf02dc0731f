package dev.jugg.vd.host;

import com.google.common.collect.ImmutableList;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Properties;
import org.robolectric.android.internal.AndroidTestEnvironment;
import org.robolectric.annotation.ResourcesMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.interceptors.AndroidInterceptors;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.SandboxManager;

import org.robolectric.internal.bytecode.ClassHandler;
import org.robolectric.internal.bytecode.ClassHandlerBuilder;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.Interceptors;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.ShadowMap;
import org.robolectric.internal.bytecode.ShadowProviders;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.SdkProvider;
import org.robolectric.util.inject.Injector;

/** Builds Robolectric's sandbox directly, without its JUnit runner. */
final class SandboxFactory {
  /** Our replacements of Robolectric's shadow classes. */
  private static final String[] SHADOWS = {
    "dev.jugg.vd.log.LogShadow",
    "dev.jugg.vd.alarm.AlarmManagerShadow",
    "dev.jugg.vd.am.ActivityTaskManagerShadow",
    "dev.jugg.vd.am.ActivityThreadShadow",
    "dev.jugg.vd.am.LoadedApkShadow",
    "dev.jugg.vd.am.ContextImplShadow",
    "dev.jugg.vd.binder.AppOpsManagerShadow",
    "dev.jugg.vd.binder.BinderShadow",
    "dev.jugg.vd.binder.ParcelShadow",
    "dev.jugg.vd.broadcast.ActivityManagerShadow",
    "dev.jugg.vd.broadcast.PendingIntentShadow",
    "dev.jugg.vd.config.ResourcesShadow",
    "dev.jugg.vd.debug.DebugShadow",
    "dev.jugg.vd.files.ParcelFileDescriptorShadow",
    "dev.jugg.vd.job.JobSchedulerShadow",
    "dev.jugg.vd.notification.NotificationManagerShadow",
    "dev.jugg.vd.pm.AssetManagerShadow",
    "dev.jugg.vd.pm.ContentResolverShadow",
    "dev.jugg.vd.pm.EnvironmentShadow",
    "dev.jugg.vd.pm.PackageParserShadow",
    "dev.jugg.vd.pm.ProcessShadow",
    "dev.jugg.vd.pm.UserManagerShadow",
    "dev.jugg.vd.settings.SettingsCacheShadow",
    "dev.jugg.vd.time.SystemClockShadow",
    "dev.jugg.vd.time.MessageQueueShadow",
    "dev.jugg.vd.window.HardwareRendererShadow",
    "dev.jugg.vd.window.InputMethodManagerShadow",
    "dev.jugg.vd.window.ToastShadow",
    "dev.jugg.vd.window.WebViewShadow",
    "dev.jugg.vd.window.WindowManagerGlobalShadow",
    "dev.jugg.vd.net.LocalSocketImplShadow",
    "dev.jugg.vd.input.InputManagerGlobalShadow",
    "dev.jugg.vd.input.KeyCharacterMapShadow",
    "dev.jugg.vd.instrument.ApplicationShadow",
    "dev.jugg.vd.instrument.UiAutomationShadow",
  };

  private SandboxFactory() {}

  static AndroidSandbox create(int api) throws ClassNotFoundException {
    Class<?> environment = load("dev.jugg.vd.DeviceEnvironment");
    Injector injector =
        new Injector.Builder(SandboxFactory.class.getClassLoader())
            .bind(Properties.class, System.getProperties())
            .bind(
                AndroidSandbox.TestEnvironmentSpec.class,
                new AndroidSandbox.TestEnvironmentSpec(
                    environment.asSubclass(AndroidTestEnvironment.class)))
            .build();
    Sdk sdk = sdk(injector.getInstance(SdkProvider.class), api);
    Interceptors interceptors = interceptors();
    AndroidSandbox sandbox = injector
        .getInstance(SandboxManager.SandboxBuilder.class)
        .build(instrumentation(interceptors), sdk, sdk, ResourcesMode.Mode.BINARY, SQLiteMode.Mode.NATIVE);
    ShadowMap.Builder shadows = injector.getInstance(ShadowProviders.class).getBaseShadowMap().newBuilder();
    for (String shadow : SHADOWS) {
      shadows.addShadowClasses(load(shadow));
    }
    ShadowMap shadowMap = shadows.build();
    sandbox.replaceShadowMap(shadowMap);
    ClassHandler handler = injector
        .getInstance(ClassHandlerBuilder.class)
        .build(shadowMap, new RealMethods(api), interceptors, ImmutableList.of());
    sandbox.configure(handler, interceptors);
    return sandbox;
  }

  /** Names a class of the sandbox side; it must not be initialised out here, where there is no framework. */
  static Class<?> load(String name) throws ClassNotFoundException {
    return Class.forName(name, false, SandboxFactory.class.getClassLoader());
  }

  private static Sdk sdk(SdkProvider provider, int api) {
    for (Sdk sdk : provider.getSdks()) {
      if (sdk.getApiLevel() == api) {
        return sdk;
      }
    }
    throw new IllegalArgumentException("no framework for API " + api);
  }

  /** Robolectric's, but for the one that gives framework code a clock of its own: here time is the machine's. */
  private static Interceptors interceptors() {
    Collection<Interceptor> all = AndroidInterceptors.all();
    all.removeIf(interceptor -> interceptor instanceof AndroidInterceptors.SystemTimeInterceptor);
    all.add(new WallClockInterceptor());
    return new Interceptors(all);
  }

  /** The framework is instrumented, our sandbox side is loaded inside, all else is shared with the host side. */
  private static InstrumentationConfiguration instrumentation(Interceptors interceptors) {
    InstrumentationConfiguration.Builder builder = new InstrumentationConfiguration.Builder();
    for (MethodRef method : interceptors.getAllMethodRefs()) {
      builder.addInterceptedMethod(method);
    }
    builder.doNotAcquireClass("org.robolectric.shadow.api.ShadowPicker");
    for (String shared : new String[] {
      "dev.jugg.vd.host.", "com.google.gson.", "org.bouncycastle.", "org.conscrypt.", "org.objectweb.asm",
      "org.robolectric.manifest.", "org.robolectric.res.", "org.w3c.", "org.xml."
    }) {
      builder.doNotAcquirePackage(shared);
    }
    builder
        .addClassNameTranslation("java.net.ExtendedResponseCache", "org.robolectric.fakes.RoboExtendedResponseCache")
        .addClassNameTranslation("java.net.ResponseSource", "org.robolectric.fakes.RoboResponseSource")
        .addClassNameTranslation("java.nio.charset.Charsets", StandardCharsets.class.getName())
        .addClassNameTranslation("java.lang.UnsafeByteSequence", Object.class.getName())
        .addClassNameTranslation("java.util.jar.StrictJarFile", Object.class.getName())
        .addClassNameTranslation("sun.misc.Cleaner", "java.lang.ref.Cleaner$Cleanable");
    builder.doNotInstrumentPackage("android.R").doNotInstrumentClass("android.app.RecoverableSecurityException");
    for (String framework : new String[] {
      "dalvik.", "libcore.", "android.", "com.android.internal.", "org.apache.http.", "org.ccil.cowan.tagsoup.",
      "org.kxml2."
    }) {
      builder.addInstrumentedPackage(framework);
    }
    return builder.build();
  }
}
