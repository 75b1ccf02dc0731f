package dev.jugg.vd.pm;

import android.app.Application;
import android.content.BroadcastReceiver;
import android.content.Intent;
import java.util.Map;
import org.robolectric.RuntimeEnvironment;

/** Broadcasts that come from outside of the app: {@code am broadcast}. Main thread only. */
public final class Broadcasts {
  private final Map<String, BroadcastReceiver> manifestReceivers;

  public Broadcasts(Map<String, BroadcastReceiver> manifestReceivers) {
    this.manifestReceivers = manifestReceivers;
  }

  /** False when the intent names a receiver that the app does not have. */
  public boolean send(Intent intent) {
    Application app = RuntimeEnvironment.getApplication();
    if (intent.getComponent() == null) {
      app.sendBroadcast(intent);
      return true;
    }
    BroadcastReceiver receiver = manifestReceivers.get(intent.getComponent().getClassName());
    if (receiver == null) {
      return false;
    }
    receiver.onReceive(app, intent);
    return true;
  }
}
