package dev.jugg.vd.host;

import java.lang.reflect.Method;
import java.util.Set;
import org.robolectric.android.AndroidSdkShadowMatcher;

/**
 * Which of Robolectric's replacements apply. Those that fake the activity manager do not: here the framework's own code
 * runs, and a small activity task manager answers it.
 */
final class RealMethods extends AndroidSdkShadowMatcher {
  /** Of ShadowActivity only these are wanted: what they replace needs services that are not there. */
  private static final Set<String> ACTIVITY_REPLACEMENTS = Set.of("getSplashScreen", "setLocusContext");
  private static final Set<String> INSTRUMENTATION_REAL =
      Set.of("execStartActivity", "execStartActivities", "execStartActivityFromAppTask", "startActivitySync");

  private static final Set<String> SETTINGS = Set.of(
      "org.robolectric.shadows.ShadowSettings$ShadowSystem",
      "org.robolectric.shadows.ShadowSettings$ShadowSecure",
      "org.robolectric.shadows.ShadowSettings$ShadowGlobal");

  RealMethods(int api) {
    super(api);
  }

  @Override
  public boolean matches(Method method) {
    String name = method.getName();
    // The device's settings are the daemon's, see SettingsCacheShadow.
    if (SETTINGS.contains(method.getDeclaringClass().getName())) {
      return false;
    }
    return switch (method.getDeclaringClass().getSimpleName()) {
      case "ShadowActivity" -> ACTIVITY_REPLACEMENTS.contains(name) && super.matches(method);
      // The daemon has the lock screen.
      case "ShadowKeyguardManager" -> !name.equals("requestDismissKeyguard") && super.matches(method);
      // 400 ms, not 500.
      case "ShadowViewConfiguration" -> !name.equals("getLongPressTimeout") && super.matches(method);
      // A service talks to the activity manager that it was attached with, and to who runs its jobs.
      case "ShadowService", "ShadowJobService" -> false;
      // Certificates come from the APK, see PackageFacts.
      case "ShadowSigningInfo" -> false;
      // See OwnTask.
      case "ShadowAppTask" -> false;
      // Broadcasts go to an activity manager of ours, see BroadcastCalls.
      case "ShadowBroadcastReceiver", "ShadowBroadcastPendingResult" -> false;
      case "ShadowContextImpl" -> !isBroadcast(name) && !name.startsWith("getExternalFilesDir") && super.matches(method);
      case "ShadowInstrumentation" -> !INSTRUMENTATION_REAL.contains(name) && super.matches(method);
      // Frames are measured, see HardwareRendererShadow.
      case "ShadowWindow" -> !name.endsWith("OnFrameMetricsAvailableListener") && super.matches(method);
      default -> super.matches(method);
    };
  }

  private static boolean isBroadcast(String name) {
    return name.matches("send(Ordered|Sticky)?Broadcast.*|(un)?registerReceiver.*");
  }
}
