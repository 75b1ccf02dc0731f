package dev.jugg.vd.warm;

import android.app.Application;
import android.content.Intent;
import android.os.Looper;
import android.view.KeyEvent;
import dev.jugg.vd.FrameworkSetup;
import dev.jugg.vd.am.ActivityRecord;
import dev.jugg.vd.am.ActivityTasks;
import dev.jugg.vd.input.Keys;
import dev.jugg.vd.input.TextInput;
import dev.jugg.vd.input.Touch;
import dev.jugg.vd.broadcast.BroadcastQueue;
import dev.jugg.vd.pm.ManifestComponents;
import dev.jugg.vd.pm.PackageParserShadow;
import dev.jugg.vd.time.SystemClockShadow;
import dev.jugg.vd.window.Screenshot;
import dev.jugg.vd.window.TreeSignature;
import dev.jugg.vd.window.ViewDump;
import dev.jugg.vd.window.Windows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowPausedLooper;

/** Runs a small app once, so that a spare process has done everything that does not need the real one. */
public final class WarmUp {
  private static final int FRAMES = 2;

  private WarmUp() {}

  /** {@code hurried}: somebody waits for the process, and all that the app may not need is left out. */
  public static void run(FrameworkSetup setup, BooleanSupplier hurried) throws IOException {
    if (hurried.getAsBoolean()) {
      return;
    }
    Path apk = Files.createTempFile("warm-up", ".apk");
    try {
      WarmUpApk.write(apk);
      ActivityTasks tasks = setup.setUp(apk);
      Windows windows = new Windows(tasks);
      if (!hurried.getAsBoolean()) {
        components();
        exercise(tasks, windows, hurried);
      }
      tasks.records().forEach(tasks::finish);
      pump();
      // Nothing of it may be known to whom the next app asks.
      windows.updateFocus();
      setup.tearDown();
    } finally {
      Files.delete(apk);
    }
  }

  private static void components() {
    Application app = RuntimeEnvironment.getApplication();
    try {
      ManifestComponents.grantPermissions(app, List.of());
      ManifestComponents.installProviders(app, app.getPackageName());
      BroadcastQueue.instance().declare(PackageParserShadow.last(), app.getPackageName());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void exercise(ActivityTasks tasks, Windows windows, BooleanSupplier hurried) {
    Intent intent = new Intent(Intent.ACTION_MAIN)
        .addCategory(Intent.CATEGORY_LAUNCHER)
        .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK)
        .setClassName(RuntimeEnvironment.getApplication(), WarmUpActivity.class.getName());
    RuntimeEnvironment.getApplication().startActivity(intent);
    pump();
    windows.updateFocus();
    pump();
    ActivityRecord record = tasks.top();
    if (record == null || !(record.activity() instanceof WarmUpActivity activity)) {
      throw new IllegalStateException("the warm-up activity did not start");
    }
    if (hurried.getAsBoolean()) {
      return;
    }
    ViewDump.of(windows, "dev.jugg.vd.warm");
    Screenshot.draw(windows).encode();
    new TreeSignature(windows).get();
    Keys keys = new Keys(windows);
    new Touch(windows).tap(100, 300, 0, handled -> {});
    keys.press(KeyEvent.KEYCODE_A, 0, false, handled -> {});
    new TextInput(windows, keys).commit("a");
    activity.showAndHideDialog();
    pump();
  }

  /** Runs messages, and the next frames: animations need not run to their end. */
  private static void pump() {
    ShadowPausedLooper looper = Shadow.extract(Looper.getMainLooper());
    looper.idle();
    for (int frame = 0; frame < FRAMES && ShadowChoreographer.getNextVsyncTimeNanos() != 0; frame++) {
      long wait = ShadowChoreographer.getNextVsyncTimeNanos() - System.nanoTime();
      LockSupport.parkNanos(Math.max(0, wait));
      SystemClockShadow.sync();
      looper.idle();
    }
  }
}
