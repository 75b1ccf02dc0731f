package androidx.test.runner.lifecycle;

/** Stand-in for the enum of androidx.test that Robolectric names. */
public enum Stage {
  PRE_ON_CREATE,
  CREATED,
  STARTED,
  RESUMED,
  PAUSED,
  STOPPED,
  RESTARTED,
  DESTROYED
}
