package androidx.test.runner.lifecycle;

import android.app.Activity;

/** Stand-in for the interface of androidx.test that Robolectric names. */
public interface ActivityLifecycleCallback {
  void onActivityLifecycleChanged(Activity activity, Stage stage);
}
