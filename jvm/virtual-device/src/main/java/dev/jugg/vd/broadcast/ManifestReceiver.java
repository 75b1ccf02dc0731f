package dev.jugg.vd.broadcast;

import android.app.AppComponentFactory;
import android.app.Application;
import android.content.BroadcastReceiver;
import android.content.BroadcastReceiver.PendingResult;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.os.Binder;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import dev.jugg.vd.pm.ManifestComponents;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.util.ReflectionHelpers;

/** A receiver of the manifest: each broadcast comes to a new one, as ActivityThread.handleReceiver makes it. */
record ManifestReceiver(ActivityInfo info, List<? extends IntentFilter> filters, int priority)
    implements Target {
  /** {@code PendingResult.TYPE_COMPONENT} */
  private static final int COMPONENT = 0;

  @Override
  public Object deliver(Delivery delivery) {
    IBinder token = new Binder();
    Intent intent = delivery.copyOfIntent().setComponent(new ComponentName(info.packageName, info.name));
    boolean ordered = delivery.broadcast().ordered();
    PendingResult pending =
        new PendingResult(delivery.code(), delivery.data(), delivery.extras(), COMPONENT, ordered, false, token, 0, intent.getFlags());
    new Handler(Looper.getMainLooper()).post(() -> receive(intent, pending));
    return token;
  }

  private void receive(Intent intent, PendingResult pending) {
    BroadcastReceiver receiver;
    Application app = RuntimeEnvironment.getApplication();
    intent.setExtrasClassLoader(app.getClassLoader());
    try {
      AppComponentFactory factory = ManifestComponents.factory(app);
      receiver = factory.instantiateReceiver(app.getClassLoader(), info.name, intent);
    } catch (Exception e) {
      throw new RuntimeException("Unable to instantiate receiver " + info.name + ": " + e, e);
    }
    receiver.setPendingResult(pending);
    Context restricted = ReflectionHelpers.callInstanceMethod(app.getBaseContext(), "getReceiverRestrictedContext");
    try {
      receiver.onReceive(restricted, intent);
    } catch (Exception e) {
      throw new RuntimeException("Unable to start receiver " + info.name + ": " + e, e);
    }
    // Who has called goAsync finishes it later.
    if (receiver.getPendingResult() != null) {
      pending.finish();
    }
  }
}
