package dev.jugg.vd.window;

import android.app.Activity;
import android.content.pm.ActivityInfo;
import android.os.IBinder;
import android.os.RemoteException;
import android.view.ViewRootImpl;
import android.view.WindowManager.LayoutParams;
import android.view.WindowManagerGlobal;
import com.android.internal.policy.IKeyguardDismissCallback;
import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.Device;
import dev.jugg.vd.am.ActivityRecord;
import dev.jugg.vd.am.ActivityTasks;
import dev.jugg.vd.host.protocol.Request;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.robolectric.util.ReflectionHelpers;

/**
 * What the top activity wants of a screen that is off or locked, as AOSP's ActivityRecord knows it: from its manifest, its
 * calls, and the flags of its windows. The daemon, which has the lock screen, hears of each change.
 */
@SuppressWarnings("deprecation")
public final class OverLock {
  private record Wishes(boolean showWhenLocked, boolean dismissKeyguard, boolean turnScreenOn) {
    boolean shows() {
      return showWhenLocked || dismissKeyguard && !ScreenState.isSecure();
    }
  }

  private static final Map<Long, IKeyguardDismissCallback> DISMISSALS = new ConcurrentHashMap<>();
  private static final AtomicLong LAST_DISMISSAL = new AtomicLong();
  private static Wishes told = new Wishes(false, false, false);

  private OverLock() {}

  /** Tells the daemon when something is new. Main thread only. */
  public static void update(ActivityTasks tasks) {
    if (BoundApp.current() == null) {
      return;
    }
    ActivityRecord top = tasks.top();
    Wishes now = top == null ? new Wishes(false, false, false) : wishesOf(top, tasks);
    if (now.equals(told)) {
      return;
    }
    told = now;
    JsonObject params = new JsonObject();
    params.addProperty("showWhenLocked", now.showWhenLocked);
    params.addProperty("dismissKeyguard", now.dismissKeyguard);
    params.addProperty("turnScreenOn", now.turnScreenOn);
    Device.host().channel().event("overLock", params);
  }

  /** Whether the lock screen, or a screen that is off, keeps the activity from being seen. */
  public static boolean hides(ActivityRecord record, ActivityTasks tasks) {
    return !ScreenState.isAwake() || ScreenState.isLocked() && !wishesOf(record, tasks).shows();
  }

  private static Wishes wishesOf(ActivityRecord record, ActivityTasks tasks) {
    int flags = windowFlags(record);
    boolean shows = showsWhenLocked(record, flags);
    if (!shows && record.inheritShowWhenLocked) {
      ActivityRecord below = tasks.below(record);
      shows = below != null && showsWhenLocked(below, windowFlags(below));
    }
    return new Wishes(
        shows,
        has(flags, LayoutParams.FLAG_DISMISS_KEYGUARD),
        record.turnScreenOn || has(flags, LayoutParams.FLAG_TURN_SCREEN_ON));
  }

  private static boolean showsWhenLocked(ActivityRecord record, int flags) {
    return record.showWhenLocked || has(flags, LayoutParams.FLAG_SHOW_WHEN_LOCKED);
  }

  /** Of all windows of the activity, and of its own one before that is on the screen. */
  private static int windowFlags(ActivityRecord record) {
    Activity activity = record.activity();
    int flags = activity == null || activity.getWindow() == null ? 0 : activity.getWindow().getAttributes().flags;
    IBinder token = record.token();
    List<ViewRootImpl> roots = ReflectionHelpers.getField(WindowManagerGlobal.getInstance(), "mRoots");
    for (ViewRootImpl root : List.copyOf(roots)) {
      if (root.mWindowAttributes.token == token) {
        flags |= root.mWindowAttributes.flags;
      }
    }
    return flags;
  }

  private static boolean has(int flags, int flag) {
    return (flags & flag) != 0;
  }

  /** What the manifest says, for a new activity. */
  public static void declare(ActivityRecord record, ActivityInfo info) {
    record.showWhenLocked = has(info.flags, ActivityInfo.FLAG_SHOW_WHEN_LOCKED);
    record.turnScreenOn = has(info.flags, ActivityInfo.FLAG_TURN_SCREEN_ON);
    record.inheritShowWhenLocked = has(info.privateFlags, ActivityInfo.FLAG_INHERIT_SHOW_WHEN_LOCKED);
  }

  /** {@code KeyguardManager.requestDismissKeyguard}. */
  public static void dismiss(IKeyguardDismissCallback callback) {
    long id = LAST_DISMISSAL.incrementAndGet();
    if (callback != null) {
      DISMISSALS.put(id, callback);
    }
    JsonObject params = new JsonObject();
    params.addProperty("id", id);
    Device.host().channel().event("dismissKeyguard", params);
  }

  /** What came of it. */
  public static void dismissed(Request request) {
    IKeyguardDismissCallback callback = DISMISSALS.remove(request.optionalLong("id", 0));
    if (callback == null) {
      return;
    }
    try {
      switch (request.params().get("outcome").getAsString()) {
        case "succeeded" -> callback.onDismissSucceeded();
        case "cancelled" -> callback.onDismissCancelled();
        default -> callback.onDismissError();
      }
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    }
  }
}
