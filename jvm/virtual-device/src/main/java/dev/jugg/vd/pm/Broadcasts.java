package dev.jugg.vd.pm;

import android.app.Application;
import android.content.BroadcastReceiver;
import android.content.Intent;
import android.os.Looper;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.Device;
import dev.jugg.vd.am.IntentReader;
import java.util.Map;
import org.robolectric.RuntimeEnvironment;

/** Broadcasts that come from outside of this process, and those that go there. */
public final class Broadcasts {
  /** What is being delivered from outside does not go there again; main thread only. */
  private static boolean delivering;

  private final Map<String, BroadcastReceiver> manifestReceivers;

  public Broadcasts(Map<String, BroadcastReceiver> manifestReceivers) {
    this.manifestReceivers = manifestReceivers;
  }

  /** Tells the daemon of a broadcast of this process: others may have receivers for it. Any thread. */
  public static void tellOthers(Intent intent) {
    boolean fromOutside = Looper.myLooper() == Looper.getMainLooper() && delivering;
    if (BoundApp.current() != null && !fromOutside) {
      Device.host().channel().event("broadcast", IntentReader.write(intent));
    }
  }

  /** Main thread only. False when the intent names a receiver that the app does not have. */
  public boolean send(Intent intent) {
    Application app = RuntimeEnvironment.getApplication();
    if (intent.getComponent() == null) {
      delivering = true;
      try {
        app.sendBroadcast(intent);
      } finally {
        delivering = false;
      }
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
