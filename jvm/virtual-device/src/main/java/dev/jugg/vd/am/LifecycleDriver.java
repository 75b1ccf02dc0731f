package dev.jugg.vd.am;

import android.app.ActivityThread;
import android.app.ActivityThread.ActivityClientRecord;
import android.app.ResultInfo;
import android.app.servertransaction.ActivityLifecycleItem;
import android.app.servertransaction.PendingTransactionActions;
import android.content.Intent;
import android.content.res.Configuration;
import android.content.res.TypedArray;
import android.os.Binder;
import android.util.MergedConfiguration;
import android.window.ActivityWindowInfo;
import com.android.internal.content.ReferrerIntent;
import dev.jugg.vd.am.ActivityRecord.State;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.util.ReflectionHelpers;

/** Takes activities through the real ActivityThread's transitions. Main thread only. */
final class LifecycleDriver {
  private static final String REASON = "jugg";

  /** {@code ActivityInfo.CONFIG_WINDOW_CONFIGURATION} */
  private static final int WINDOW_CONFIGURATION = 0x20000000;

  /** Hears of every new state. */
  interface Listener {
    void changed(ActivityRecord record);
  }

  private final Listener listener;

  LifecycleDriver(Listener listener) {
    this.listener = listener;
  }

  static ActivityThread thread() {
    return (ActivityThread) RuntimeEnvironment.getActivityThread();
  }

  static Configuration configuration() {
    return new Configuration(RuntimeEnvironment.getApplication().getResources().getConfiguration());
  }

  /** Creates, starts and resumes; throws what the app's onCreate, onStart or onResume throw, as the framework wraps it. */
  void launch(ActivityRecord record) {
    ActivityThread thread = thread();
    record.configuration = configuration();
    record.client = newClient(record, thread);
    PendingTransactionActions pending = new PendingTransactionActions();
    thread.handleLaunchActivity(record.client, pending, 0, null);
    if (record.activity() == null) {
      set(record, State.DESTROYED, ActivityLifecycleItem.ON_DESTROY);
      return;
    }
    record.client.setState(ActivityLifecycleItem.ON_CREATE);
    record.translucent = isTranslucent(record);
    start(record, pending);
    if (!record.finishing) {
      toResumed(record);
    }
  }

  /** From paused or stopped to resumed; with the current configuration. */
  void resume(ActivityRecord record) {
    if (record.state == State.STOPPED) {
      if (changesToRelaunchFor(record) != 0) {
        relaunch(record);
        return;
      }
      thread().performRestartActivity(record.client, true);
      record.client.setState(ActivityLifecycleItem.ON_START);
    }
    toResumed(record);
  }

  void pause(ActivityRecord record) {
    if (record.state != State.RESUMED) {
      return;
    }
    ActivityThread thread = thread();
    thread.handleTopResumedActivityChanged(record.client, false, REASON);
    thread.handlePauseActivity(
        record.client, record.finishing, !record.finishing, false, new PendingTransactionActions(), REASON);
    set(record, State.PAUSED, ActivityLifecycleItem.ON_PAUSE);
  }

  void stop(ActivityRecord record) {
    if (record.state != State.PAUSED) {
      return;
    }
    thread().handleStopActivity(record.client, new PendingTransactionActions(), true, REASON);
    set(record, State.STOPPED, ActivityLifecycleItem.ON_STOP);
  }

  void destroy(ActivityRecord record) {
    if (record.client != null && record.state != State.DESTROYED) {
      thread().handleDestroyActivity(record.client, true, false, REASON);
      set(record, State.DESTROYED, ActivityLifecycleItem.ON_DESTROY);
    }
  }

  void newIntent(ActivityRecord record, Intent intent) {
    thread().handleNewIntent(record.client, List.of(new ReferrerIntent(intent, record.info.packageName)));
  }

  void result(ActivityRecord to, ResultInfo result) {
    if (to.client != null && to.state != State.DESTROYED) {
      thread().handleSendResult(to.client, List.of(result), REASON);
    }
  }

  /** The configuration has changed: tells a visible activity or makes it again, as its manifest says. */
  void configurationChanged(ActivityRecord record) {
    if (!record.isVisible()) {
      // Hears of it when it comes back, see resume().
      return;
    }
    if (changesToRelaunchFor(record) != 0) {
      relaunch(record);
    } else {
      Configuration now = configuration();
      record.configuration = now;
      thread().handleActivityConfigurationChanged(record.client, now, 0, new ActivityWindowInfo());
    }
  }

  private void relaunch(ActivityRecord record) {
    ActivityThread thread = thread();
    boolean wasPaused = record.state == State.PAUSED;
    Configuration now = configuration();
    int changes = record.configuration.diff(now);
    record.configuration = now;
    // handleRelaunchActivity does nothing unless prepareRelaunchActivity went before.
    ActivityClientRecord prepared = thread.prepareRelaunchActivity(
        record.token, null, null, changes, new MergedConfiguration(now, now), false, new ActivityWindowInfo());
    if (prepared == null) {
      return;
    }
    PendingTransactionActions pending = new PendingTransactionActions();
    thread.handleRelaunchActivity(prepared, pending);
    record.client.setState(ActivityLifecycleItem.ON_CREATE);
    start(record, pending);
    toResumed(record);
    if (wasPaused) {
      pause(record);
    }
  }

  private void start(ActivityRecord record, PendingTransactionActions pending) {
    thread().handleStartActivity(record.client, pending, null);
    record.client.setState(ActivityLifecycleItem.ON_START);
  }

  private void toResumed(ActivityRecord record) {
    ActivityThread thread = thread();
    thread.handleResumeActivity(record.client, true, true, false, REASON);
    set(record, State.RESUMED, ActivityLifecycleItem.ON_RESUME);
    // After a relaunch it still is.
    if (!ReflectionHelpers.<Boolean>getField(record.client, "isTopResumedActivity")) {
      thread.handleTopResumedActivityChanged(record.client, true, REASON);
    }
  }

  private int changesToRelaunchFor(ActivityRecord record) {
    // As AOSP's ActivityRecord.getConfigurationChanges: where its window lies is no reason.
    return record.configuration.diff(configuration()) & ~WINDOW_CONFIGURATION & ~record.info.getRealConfigChanged();
  }

  private void set(ActivityRecord record, State state, int lifecycle) {
    record.client.setState(lifecycle);
    record.state = state;
    listener.changed(record);
  }

  private static boolean isTranslucent(ActivityRecord record) {
    int[] attributes = {android.R.attr.windowIsTranslucent, android.R.attr.windowIsFloating};
    TypedArray values = record.activity().getTheme().obtainStyledAttributes(attributes);
    boolean translucent = values.getBoolean(0, false) || values.getBoolean(1, false);
    values.recycle();
    return translucent;
  }

  private static ActivityClientRecord newClient(ActivityRecord record, ActivityThread thread) {
    return new ActivityClientRecord(
        record.token,
        record.intent,
        record.hash(),
        record.info,
        new Configuration(record.configuration),
        record.info.packageName,
        null,
        record.savedState,
        null,
        null,
        null,
        null,
        true,
        null,
        thread,
        new Binder(),
        new Binder(),
        false,
        null,
        null,
        new ActivityWindowInfo());
  }
}
