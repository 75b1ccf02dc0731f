package dev.jugg.vd.broadcast;

import android.app.ActivityThread;
import android.content.IIntentReceiver;
import android.content.IntentFilter;
import android.os.IInterface;
import android.os.RemoteException;
import org.robolectric.RuntimeEnvironment;

/** A receiver that code has registered. */
record RegisteredReceiver(IIntentReceiver receiver, IntentFilter filter, String permission, boolean isExported)
    implements Target {
  @Override
  public int priority() {
    return filter.getPriority();
  }

  @Override
  public Object deliver(Delivery delivery) throws RemoteException {
    Broadcast broadcast = delivery.broadcast();
    receiver.performReceive(
        delivery.copyOfIntent(), delivery.code(), delivery.data(), delivery.extras(), true, broadcast.sticky(), 0);
    // Since Android 14 a process finishes in its own name.
    ActivityThread thread = (ActivityThread) RuntimeEnvironment.getActivityThread();
    IInterface process = thread.getApplicationThread();
    return process.asBinder();
  }
}
