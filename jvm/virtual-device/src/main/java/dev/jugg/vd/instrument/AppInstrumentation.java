package dev.jugg.vd.instrument;

import android.app.ActivityThread;
import android.app.Application;
import android.app.IInstrumentationWatcher;
import android.app.IUiAutomationConnection;
import android.app.Instrumentation;
import android.content.ComponentName;
import android.content.Context;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageParser;
import android.content.res.CompatibilityInfo;
import android.os.Bundle;
import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.Device;
import dev.jugg.vd.am.Proxies;
import java.util.Map;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.shadows.ShadowPackageParser;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Puts the test package's own runner in the place of the process's instrumentation, as ActivityThread does at bind. */
public final class AppInstrumentation {
  private AppInstrumentation() {}

  /** The runner, from the making of the application on. */
  private static Instrumentation runner;

  /** Whether the runner is there: then it is about to make the application, or has made it. */
  public static boolean hasRunner() {
    return runner != null;
  }

  /**
   * Makes the runner, and has it make the application, as ActivityThread.handleBindApplication does.
   *
   * @param context of the app, which the application gets later
   */
  public static Application newApplication(ClassLoader loader, String className, Context context, TestRun run) {
    ActivityThread thread = (ActivityThread) RuntimeEnvironment.getActivityThread();
    ComponentName name = new ComponentName(run.packageName(), run.className());
    Context testContext = testContext(context, thread, run);
    try {
      runner = (Instrumentation) BoundApp.current().loader().loadClass(run.className()).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new RuntimeException("Unable to instantiate instrumentation " + name + ": " + e, e);
    }
    ReflectionHelpers.callInstanceMethod(
        Instrumentation.class,
        runner,
        "init",
        ClassParameter.from(ActivityThread.class, thread),
        ClassParameter.from(Context.class, testContext),
        ClassParameter.from(Context.class, context),
        ClassParameter.from(ComponentName.class, name),
        ClassParameter.from(IInstrumentationWatcher.class, watcher()),
        ClassParameter.from(IUiAutomationConnection.class, null));
    try {
      return ApplicationShadow.withoutAttaching(() -> runner.newApplication(loader, className, context));
    } catch (Exception e) {
      throw new RuntimeException("Unable to instantiate application " + className + ": " + e, e);
    }
  }

  /**
   * Called when the app's providers are there and its onCreate has not been called.
   *
   * @return the runner, with its onCreate behind it
   */
  public static Instrumentation start(Application app, Instrumentation before, TestRun run) {
    ReflectionHelpers.setField(Instrumentation.class, runner, "mAppContext", app.getBaseContext());
    keepState(before, runner);
    ReflectionHelpers.setField(RuntimeEnvironment.getActivityThread(), "mInstrumentation", runner);
    Bundle arguments = new Bundle();
    run.arguments().forEach(arguments::putString);
    runner.onCreate(arguments);
    return runner;
  }

  /** The resources and assets of the test package. */
  private static Context testContext(Context app, ActivityThread thread, TestRun run) {
    PackageParser.Package parsed = ShadowPackageParser.callParsePackage(run.apks().get(0));
    ApplicationInfo info = parsed.applicationInfo;
    info.sourceDir = run.apks().get(0).toString();
    info.publicSourceDir = info.sourceDir;
    info.dataDir = run.dataDir().toString();
    info.credentialProtectedDataDir = info.dataDir;
    info.deviceProtectedDataDir = info.dataDir;
    info.uid = app.getApplicationInfo().uid;
    info.processName = run.packageName();
    ShadowPackageManager packages = Shadow.extract(app.getPackageManager());
    packages.addPackageInternal(parsed);
    Object loaded = thread.getPackageInfo(info, CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO, Context.CONTEXT_INCLUDE_CODE);
    try {
      return ReflectionHelpers.callStaticMethod(
          Class.forName("android.app.ContextImpl"),
          "createAppContext",
          ClassParameter.from(ActivityThread.class, thread),
          ClassParameter.from(Class.forName("android.app.LoadedApk"), loaded));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Robolectric keeps what it knows of the process beside the instrumentation object: it moves along. */
  private static void keepState(Instrumentation from, Instrumentation to) {
    Object old = Shadow.extract(from);
    Object next = Shadow.extract(to);
    Map<Object, Object> permissions = ReflectionHelpers.getField(next, "grantedPermissionsMap");
    permissions.putAll(ReflectionHelpers.<Map<Object, Object>>getField(old, "grantedPermissionsMap"));
  }

  private static IInstrumentationWatcher watcher() {
    return Proxies.create(IInstrumentationWatcher.class, (method, arguments) -> {
      if (method.equals("instrumentationStatus")) {
        tell("instrumentationStatus", (Integer) arguments[1], (Bundle) arguments[2]);
      }
      return Proxies.DEFAULT;
    });
  }

  /** The runner is done: the daemon ends the process. */
  public static void finished(int code, Bundle results) {
    tell("instrumentationFinished", code, results);
  }

  @SuppressWarnings("deprecation")
  private static void tell(String event, int code, Bundle results) {
    JsonObject values = new JsonObject();
    if (results != null) {
      for (String key : results.keySet()) {
        values.add(key, value(results.get(key)));
      }
    }
    JsonObject params = new JsonObject();
    params.addProperty("code", code);
    params.add("results", values);
    Device.host().channel().event(event, params);
  }

  private static JsonObject value(Object value) {
    boolean whole = value instanceof Integer || value instanceof Short || value instanceof Byte;
    JsonObject json = new JsonObject();
    json.addProperty("type", whole ? "int" : value instanceof Long ? "long" : "string");
    json.addProperty("value", String.valueOf(value));
    return json;
  }
}
