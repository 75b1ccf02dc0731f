package dev.jugg.vd.am;

import android.app.ActivityManager;
import android.app.ResultInfo;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import com.google.gson.JsonObject;
import dev.jugg.vd.am.ActivityRecord.State;
import dev.jugg.vd.host.protocol.ProtocolException;
import dev.jugg.vd.window.OverLock;
import dev.jugg.vd.window.RequestedOrientation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A small activity task manager: the one task of this process, its back stack, and who is in front. Its public methods
 * may be called from any thread unless they say otherwise; the work is posted to the main looper, as the system's calls
 * arrive there.
 */
public final class ActivityTasks {
  private final ArrayList<ActivityRecord> stack = new ArrayList<>();
  private final LifecycleDriver driver;
  private final DeviceEvents events;
  private boolean behind;

  public ActivityTasks(DeviceEvents events) {
    this.events = events;
    this.driver = new LifecycleDriver(record -> {
      OverLock.update(this);
      events.activity(record.shortComponent(), record.state());
    });
  }

  /** Bottom first. */
  public synchronized List<ActivityRecord> records() {
    return new ArrayList<>(stack);
  }

  /** The highest activity that is not finishing, or null. */
  public synchronized ActivityRecord top() {
    for (int i = stack.size() - 1; i >= 0; i--) {
      if (!stack.get(i).finishing) {
        return stack.get(i);
      }
    }
    return null;
  }

  /** The one that it covers, or null. */
  public synchronized ActivityRecord below(ActivityRecord record) {
    int at = stack.indexOf(record);
    return at <= 0 ? null : stack.get(at - 1);
  }

  public synchronized ActivityRecord find(IBinder token) {
    for (ActivityRecord record : stack) {
      if (record.token == token) {
        return record;
      }
    }
    return null;
  }

  public int taskId() {
    return (int) ProcessHandle.current().pid();
  }

  synchronized boolean isRoot(ActivityRecord record) {
    return !stack.isEmpty() && stack.get(0) == record;
  }

  void forEach(BiConsumer<LifecycleDriver, ActivityRecord> action) {
    for (ActivityRecord record : records()) {
      action.accept(driver, record);
    }
  }

  /** Starts an activity of this app whose intent is resolved; answers what the system answers. */
  int start(ActivityRecord record) {
    ActivityRecord root = records().isEmpty() ? null : records().get(0);
    if (root != null && isLauncherStart(record.intent) && root.component().equals(record.component())) {
      post(() -> {
        toFront();
        ActivityRecord top = top();
        boolean takesIntents = record.info.launchMode != ActivityInfo.LAUNCH_MULTIPLE
            || has(record.intent, Intent.FLAG_ACTIVITY_SINGLE_TOP);
        if (top != null && takesIntents && sameComponent(top, record)) {
          driver.newIntent(top, record.intent);
        }
      });
      return ActivityManager.START_TASK_TO_FRONT;
    }
    post(() -> perform(record));
    return ActivityManager.START_SUCCESS;
  }

  private void perform(ActivityRecord record) {
    behind = false;
    if (has(record.intent, Intent.FLAG_ACTIVITY_CLEAR_TASK)) {
      records().forEach(this::destroyNow);
    }
    ActivityRecord reused = reuse(record);
    if (reused != null) {
      driver.newIntent(reused, record.intent);
      resumeTop();
      return;
    }
    ActivityRecord previous = top();
    if (previous != null) {
      driver.pause(previous);
    }
    synchronized (this) {
      stack.add(record);
    }
    RequestedOrientation.turnFor(record, this);
    driver.launch(record);
    if (record.activity() == null) {
      remove(record);
      resumeTop();
    } else if (!record.translucent && !record.finishing) {
      records().stream().filter(other -> other != record).forEach(driver::stop);
    }
    if (previous != null && has(previous.intent, Intent.FLAG_ACTIVITY_NO_HISTORY)) {
      finish(previous);
    }
  }

  /** The existing activity that takes the intent instead of a new one, in front of all others, or null. */
  private ActivityRecord reuse(ActivityRecord record) {
    ActivityRecord top = top();
    boolean single = record.info.launchMode >= ActivityInfo.LAUNCH_SINGLE_TASK;
    boolean singleTop =
        record.info.launchMode == ActivityInfo.LAUNCH_SINGLE_TOP
            || has(record.intent, Intent.FLAG_ACTIVITY_SINGLE_TOP);
    if (top != null && (single || singleTop) && sameComponent(top, record)) {
      return top;
    }
    boolean clearTop = has(record.intent, Intent.FLAG_ACTIVITY_CLEAR_TOP);
    boolean reorder = has(record.intent, Intent.FLAG_ACTIVITY_REORDER_TO_FRONT);
    if (!single && !clearTop && !reorder) {
      return null;
    }
    List<ActivityRecord> all = records();
    for (int i = all.size() - 1; i >= 0; i--) {
      ActivityRecord existing = all.get(i);
      if (!existing.finishing && sameComponent(existing, record)) {
        return bringUp(existing, all.subList(i + 1, all.size()), single || singleTop, reorder && !clearTop && !single);
      }
    }
    return null;
  }

  private ActivityRecord bringUp(
      ActivityRecord existing, List<ActivityRecord> above, boolean keep, boolean reorderOnly) {
    if (reorderOnly) {
      ActivityRecord top = top();
      if (top != null && top != existing) {
        driver.pause(top);
      }
      synchronized (this) {
        stack.remove(existing);
        stack.add(existing);
      }
      return existing;
    }
    above.forEach(this::destroyNow);
    if (keep) {
      return existing;
    }
    // CLEAR_TOP without SINGLE_TOP: the existing one is made anew.
    destroyNow(existing);
    return null;
  }

  /** Ends the activity as finish() does; its result goes to who asked for it. */
  public void finish(ActivityRecord record) {
    if (record.finishing) {
      return;
    }
    record.finishing = true;
    post(() -> {
      driver.pause(record);
      deliverResult(record);
      ActivityRecord next = top();
      // The daemon brings it back when it can be seen.
      if (next == null || !OverLock.hides(next, this)) {
        resumeTop();
      }
      driver.destroy(record);
      remove(record);
    });
  }

  private void deliverResult(ActivityRecord record) {
    ActivityRecord to = record.resultTo == null ? null : find(record.resultTo);
    if (to != null) {
      driver.result(
          to, new ResultInfo(record.resultWho, record.requestCode, record.resultCode, record.resultData));
    }
  }

  /** Answers an activity that asked something of the system itself. */
  void deliver(ActivityRecord to, ResultInfo result) {
    post(() -> driver.result(to, result));
  }

  /** HOME, or another app in front. Main thread only. */
  public void toBack() {
    behind = true;
    for (ActivityRecord record : records()) {
      driver.pause(record);
      driver.stop(record);
    }
  }

  /** Main thread only; answers whether there is an activity to show. */
  public boolean toFront() {
    behind = false;
    resumeTop();
    return top() != null;
  }

  /** Main thread only. */
  public void configurationChanged() {
    forEach(LifecycleDriver::configurationChanged);
  }

  /** Brings back what a process that is gone has left: the top activity now, those below when they are needed. */
  public void restore(JsonObject task) throws ProtocolException {
    List<ActivityRecord> records = SavedTask.read(task);
    synchronized (this) {
      stack.addAll(records);
    }
    behind = false;
    resumeTop();
  }

  private void resumeTop() {
    ActivityRecord top = top();
    if (top != null && !behind && top.client == null && top.savedState != null) {
      RequestedOrientation.turnFor(top, this);
      driver.launch(top);
      top.savedState = null;
    }
    if (top != null && !behind && top.client != null && top.state != State.RESUMED) {
      driver.resume(top);
      if (!top.translucent) {
        records().stream().filter(other -> other != top && !other.finishing).forEach(driver::stop);
      }
    }
  }

  private void destroyNow(ActivityRecord record) {
    record.finishing = true;
    driver.pause(record);
    driver.destroy(record);
    remove(record);
  }

  private void remove(ActivityRecord record) {
    boolean empty;
    synchronized (this) {
      stack.remove(record);
      empty = stack.isEmpty();
    }
    if (empty) {
      events.home(null);
    }
  }

  private static boolean isLauncherStart(Intent intent) {
    return Intent.ACTION_MAIN.equals(intent.getAction())
        && intent.hasCategory(Intent.CATEGORY_LAUNCHER)
        && has(intent, Intent.FLAG_ACTIVITY_NEW_TASK)
        && !has(intent, Intent.FLAG_ACTIVITY_CLEAR_TASK);
  }

  private static boolean sameComponent(ActivityRecord a, ActivityRecord b) {
    ComponentName component = a.component();
    return component.equals(b.component());
  }

  private static boolean has(Intent intent, int flag) {
    return (intent.getFlags() & flag) != 0;
  }

  private static void post(Runnable work) {
    new Handler(Looper.getMainLooper()).post(work);
  }
}
