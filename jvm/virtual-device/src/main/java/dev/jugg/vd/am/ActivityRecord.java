package dev.jugg.vd.am;

import android.app.Activity;
import android.app.ActivityThread.ActivityClientRecord;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.os.Binder;
import android.os.Bundle;
import android.os.IBinder;
import dev.jugg.vd.window.OverLock;
import org.robolectric.util.ReflectionHelpers;

/** What the task manager knows of one activity. */
public final class ActivityRecord {
  /** The names are those of the protocol. */
  public enum State {
    INITIALIZING,
    RESUMED,
    PAUSED,
    STOPPED,
    DESTROYED
  }

  final IBinder token = new Binder();
  final Intent intent;
  final ActivityInfo info;
  /** Who wants the result; null when nobody does. */
  final IBinder resultTo;

  final String resultWho;
  final int requestCode;
  ActivityClientRecord client;
  State state = State.INITIALIZING;
  boolean finishing;
  /** The activity below shows through. */
  boolean translucent;

  /** What it saved in a process that is gone; taken at its next creation. */
  Bundle savedState;

  /** What the manifest says of a locked screen, or {@code Activity.setShowWhenLocked} and its kin have said since. */
  public boolean showWhenLocked;

  public boolean inheritShowWhenLocked;
  public boolean turnScreenOn;

  /** {@code ActivityInfo.SCREEN_ORIENTATION_*}: of the manifest, or as asked for since. */
  int orientation;

  int resultCode;
  Intent resultData;
  /** What the activity was last created or told with; the framework's own copy is cleared when it idles. */
  Configuration configuration;

  ActivityRecord(Intent intent, ActivityInfo info, IBinder resultTo, String resultWho, int requestCode) {
    this.intent = intent;
    this.info = info;
    this.resultTo = resultTo;
    this.resultWho = resultWho;
    this.requestCode = requestCode;
    OverLock.declare(this, info);
    orientation = info.screenOrientation;
  }

  /** The activity object, or null before its creation and after its destruction. */
  public Activity activity() {
    return client == null ? null : ReflectionHelpers.getField(client, "activity");
  }

  public ComponentName component() {
    return new ComponentName(info.packageName, info.name);
  }

  public String shortComponent() {
    return component().flattenToShortString();
  }

  public State state() {
    return state;
  }

  public boolean isFinishing() {
    return finishing;
  }

  public int hash() {
    return System.identityHashCode(this);
  }

  public int orientation() {
    return orientation;
  }

  public IBinder token() {
    return token;
  }

  /** Shown: in front, or seen through what is in front. */
  public boolean isVisible() {
    return state == State.RESUMED || state == State.PAUSED;
  }

  public String title() {
    Activity activity = activity();
    CharSequence title = activity == null ? null : activity.getTitle();
    return title == null ? "" : title.toString();
  }
}
