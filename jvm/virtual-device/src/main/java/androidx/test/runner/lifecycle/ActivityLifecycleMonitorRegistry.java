package androidx.test.runner.lifecycle;

/** Stand-in for the class of androidx.test that Robolectric's set-up calls. */
public final class ActivityLifecycleMonitorRegistry {
  private static volatile ActivityLifecycleMonitor monitor;

  private ActivityLifecycleMonitorRegistry() {}

  public static ActivityLifecycleMonitor getInstance() {
    ActivityLifecycleMonitor current = monitor;
    if (current == null) {
      throw new IllegalStateException("No lifecycle monitor registered!");
    }
    return current;
  }

  public static void registerInstance(ActivityLifecycleMonitor newMonitor) {
    monitor = newMonitor;
  }
}
