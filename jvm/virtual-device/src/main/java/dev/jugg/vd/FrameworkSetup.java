package dev.jugg.vd;

import android.app.ActivityThread;
import android.content.res.Configuration;
import dev.jugg.vd.am.ActivityRecord.State;
import com.google.gson.JsonObject;
import dev.jugg.vd.am.ActivityTasks;
import dev.jugg.vd.am.DeviceEvents;
import dev.jugg.vd.am.TaskServices;
import dev.jugg.vd.config.FrameworkConfiguration;
import dev.jugg.vd.config.ScreenConfiguration;
import dev.jugg.vd.pm.ApkManifest;
import dev.jugg.vd.time.SystemClockShadow;
import java.nio.file.Path;
import java.time.Duration;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.internal.TestEnvironment;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowProcess;
import org.robolectric.shadows.ShadowView;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Brings the framework up for one APK, as ActivityThread's start and bind do on a device, and down again. */
public final class FrameworkSetup {
  private static final Duration FRAME = Duration.ofNanos(16_666_667);

  private final TestEnvironment environment;
  private final ClassLoader sandbox;

  FrameworkSetup(TestEnvironment environment, ClassLoader sandbox) {
    this.environment = environment;
    this.sandbox = sandbox;
  }

  /** For an app that nobody outside hears of. */
  public ActivityTasks setUp(Path apk) {
    return setUp(apk, new SilentEvents());
  }

  /** Creates the application; throws what its code throws. */
  ActivityTasks setUp(Path apk, DeviceEvents events) {
    FrameworkConfiguration configuration = new FrameworkConfiguration(ScreenConfiguration.current());
    configuration.register();
    ActivityTasks tasks = new ActivityTasks(events);
    TaskServices.connect(tasks, events);
    SystemClockShadow.sync();
    ShadowProcess.setPid((int) ProcessHandle.current().pid());
    BoundApp app = BoundApp.current();
    if (app != null) {
      ShadowProcess.setUid(app.uid());
      ShadowProcess.setProcessName(app.processName());
    }
    environment.setUpApplicationState("jugg", configuration, new ApkManifest(apk));
    ShadowView.setUseRealViewAnimations(true);
    ShadowView.setUseRealDrawTraversals(true);
    ShadowChoreographer.setPaused(true);
    ShadowChoreographer.setFrameDelay(FRAME);
    ScreenConfiguration.current().applyExactSize();
    completeActivityThread();
    return tasks;
  }

  public void tearDown() {
    environment.tearDownApplication();
    environment.resetState();
  }

  /** Two parts of the real thread object that Robolectric leaves out and the real code reads. */
  private void completeActivityThread() {
    ActivityThread thread = (ActivityThread) RuntimeEnvironment.getActivityThread();
    Object controller = ReflectionHelpers.getField(thread, "mConfigurationController");
    Configuration now = RuntimeEnvironment.getApplication().getResources().getConfiguration();
    ReflectionHelpers.callInstanceMethod(
        controller, "setConfiguration", ClassParameter.from(Configuration.class, new Configuration(now)));
    Class<?> profiler = ReflectionHelpers.loadClass(sandbox, "android.app.ActivityThread$Profiler");
    ReflectionHelpers.setField(thread, "mProfiler", ReflectionHelpers.callConstructor(profiler));
  }

  private static final class SilentEvents implements DeviceEvents {
    @Override
    public void activity(String component, State state) {}

    @Override
    public void started(android.content.Intent intent) {}

    @Override
    public void home(JsonObject left) {}
  }
}
