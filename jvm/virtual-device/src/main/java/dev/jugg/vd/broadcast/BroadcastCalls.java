package dev.jugg.vd.broadcast;

import android.app.IActivityManager;
import android.content.Context;
import android.content.IIntentReceiver;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.Build;
import android.os.Bundle;
import android.os.IBinder;
import android.os.Process;
import android.os.RemoteException;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.Device;
import dev.jugg.vd.am.IntentLimit;
import dev.jugg.vd.am.IntentReader;
import dev.jugg.vd.am.Proxies;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.util.ReflectionHelpers;

/** The activity manager as the framework's code in this process asks it: of broadcasts. All else it answers with nothing. */
final class BroadcastCalls {
  /** {@code RECEIVER_EXPORTED | RECEIVER_NOT_EXPORTED} */
  private static final int EITHER = Context.RECEIVER_EXPORTED | Context.RECEIVER_NOT_EXPORTED;

  static final IActivityManager MANAGER = Proxies.create(
      IActivityManager.class, ReflectionHelpers.createNullProxy(IActivityManager.class), BroadcastCalls::call);

  private BroadcastCalls() {}

  /** Arguments as IActivityManager.aidl of Android 15 has them. */
  private static Object call(String method, Object[] arguments) throws RemoteException {
    BroadcastQueue queue = BroadcastQueue.instance();
    switch (method) {
      case "registerReceiverWithFeature":
        return register(
            (String) arguments[1],
            (IIntentReceiver) arguments[4],
            (IntentFilter) arguments[5],
            (String) arguments[6],
            (Integer) arguments[8]);
      case "unregisterReceiver":
        queue.unregister((IIntentReceiver) arguments[0]);
        return null;
      case "broadcastIntentWithFeature":
        IntentLimit.check((Intent) arguments[2]);
        return send(arguments);
      case "finishReceiver":
        queue.finished(
            (IBinder) arguments[0],
            (Integer) arguments[1],
            (String) arguments[2],
            (Bundle) arguments[3],
            (Boolean) arguments[4]);
        return null;
      default:
        return Proxies.DEFAULT;
    }
  }

  private static Intent register(
      String caller, IIntentReceiver receiver, IntentFilter filter, String permission, int flags) {
    int given = flags & EITHER;
    if (given == EITHER) {
      throw new IllegalArgumentException("Receiver can't specify both RECEIVER_EXPORTED and RECEIVER_NOT_EXPORTED flag");
    }
    if (receiver != null && given == 0 && targets(Build.VERSION_CODES.UPSIDE_DOWN_CAKE) && !ProtectedBroadcasts.isOnly(filter)) {
      throw new SecurityException(caller + ": One of RECEIVER_EXPORTED or RECEIVER_NOT_EXPORTED should be specified when a"
          + " receiver isn't being registered exclusively for system broadcasts");
    }
    return BroadcastQueue.instance().register(receiver, filter, permission, flags);
  }

  private static boolean targets(int api) {
    return BoundApp.current() != null
        && RuntimeEnvironment.getApplication() != null
        && RuntimeEnvironment.getApplication().getApplicationInfo().targetSdkVersion >= api;
  }

  private static int send(Object[] arguments) {
    Intent intent = new Intent((Intent) arguments[2]);
    if (BoundApp.current() != null && ProtectedBroadcasts.contains(intent.getAction())) {
      throw new SecurityException("Permission Denial: not allowed to send broadcast " + intent.getAction()
          + " from pid=" + Process.myPid() + ", uid=" + Process.myUid());
    }
    String[] permissions = (String[]) arguments[8];
    boolean found = BroadcastQueue.instance().send(new Broadcast(
        intent,
        (String) arguments[3],
        (IIntentReceiver) arguments[4],
        (Integer) arguments[5],
        (String) arguments[6],
        (Bundle) arguments[7],
        permissions == null ? new String[0] : permissions,
        (Boolean) arguments[13],
        (Boolean) arguments[14],
        Process.myUid()));
    boolean isOnlyHere = intent.getComponent() != null && found;
    if (BoundApp.current() != null && !isOnlyHere) {
      Device.host().channel().event("broadcast", IntentReader.write(intent));
    }
    return 0;
  }
}
