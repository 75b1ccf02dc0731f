package dev.jugg.vd;

import android.app.Activity;
import android.app.Application;
import android.app.Instrumentation;
import android.content.Context;
import android.os.Bundle;
import androidx.test.platform.app.InstrumentationRegistry;
import androidx.test.runner.lifecycle.ActivityLifecycleCallback;
import androidx.test.runner.lifecycle.ActivityLifecycleMonitor;
import androidx.test.runner.lifecycle.ActivityLifecycleMonitorRegistry;
import androidx.test.runner.lifecycle.Stage;
import dev.jugg.vd.am.ActivityRecord;
import dev.jugg.vd.am.TaskServices;
import dev.jugg.vd.instrument.AppInstrumentation;
import dev.jugg.vd.binder.ProcessBinder;
import dev.jugg.vd.net.Cleartext;
import dev.jugg.vd.pm.ManifestComponents;
import dev.jugg.vd.pm.PackageFacts;
import dev.jugg.vd.window.ScreenState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

/** The framework's instrumentation of this process, and the answer to Robolectric's question for running activities. */
final class DeviceInstrumentation extends Instrumentation implements ActivityLifecycleMonitor {
  @Override
  public void onCreate(Bundle arguments) {
    InstrumentationRegistry.registerInstance(this, arguments);
    ActivityLifecycleMonitorRegistry.registerInstance(this);
  }

  @Override
  public void callApplicationOnCreate(Application app) {
    BoundApp bound = BoundApp.current();
    if (bound != null) {
      ManifestComponents.grantPermissions(app, bound.grantedPermissions());
      ScreenState.tell(app);
      Cleartext.install(app);
      PackageFacts.complete(app, bound);
      try {
        ManifestComponents.installProviders(app, bound.processName());
        ProcessBinder.providersAreThere();
      } catch (ReflectiveOperationException e) {
        throw new RuntimeException("Unable to get provider: " + e, e);
      }
      if (bound.testRun() != null) {
        AppInstrumentation.start(app, this, bound.testRun()).callApplicationOnCreate(app);
        return;
      }
    }
    super.callApplicationOnCreate(app);
  }

  @Override
  public void waitForIdleSync() {}

  @Override
  public void runOnMainSync(Runnable work) {
    work.run();
  }

  @Override
  public void finish(int code, Bundle results) {}

  @Override
  public Context getTargetContext() {
    return RuntimeEnvironment.getApplication();
  }

  @Override
  public Context getContext() {
    return RuntimeEnvironment.getApplication();
  }

  @Override
  public void addLifecycleCallback(ActivityLifecycleCallback callback) {}

  @Override
  public void removeLifecycleCallback(ActivityLifecycleCallback callback) {}

  @Override
  public Stage getLifecycleStageOf(Activity activity) {
    return Stage.RESUMED;
  }

  @Override
  public Collection<Activity> getActivitiesInStage(Stage stage) {
    List<Activity> activities = new ArrayList<>();
    if (stage == Stage.RESUMED && TaskServices.tasks() != null) {
      for (ActivityRecord record : TaskServices.tasks().records()) {
        if (record.isVisible() && record.activity() != null) {
          activities.add(record.activity());
        }
      }
    }
    return activities;
  }
}
