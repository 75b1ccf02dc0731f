package dev.jugg.vd.binder;

import android.content.Intent;
import android.os.IBinder;
import android.os.Parcel;
import android.os.RemoteException;
import dev.jugg.vd.host.protocol.Request;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;

/** Other processes of the device, as the framework's own parts use them. */
public final class Processes {
  /** Hears that a process has ended; {@code stopped}: its app was stopped by force or removed, nothing comes back. */
  public interface End {
    void ended(boolean stopped);
  }

  /** What a service answered to a bind. */
  public record Bound(boolean found, IBinder binder) {}

  private static final Map<Integer, Set<End>> ENDS = new ConcurrentHashMap<>();

  private Processes() {}

  /** The daemon's requests about binders; false when it is another. Called on the reader's thread. */
  public static boolean takes(Request request) {
    return BinderCalls.takes(request);
  }

  /** Asks a process to bind a service of its own, and waits for its answer; {@code token} names the connection. */
  public static Bound bindService(int pid, Intent intent, IBinder token) throws RemoteException {
    Parcel data = Parcel.obtain();
    Parcel reply = Parcel.obtain();
    try {
      intent.writeToParcel(data, 0);
      data.writeStrongBinder(token);
      process(pid).transact(ProcessBinder.BIND_SERVICE, data, reply, 0);
      reply.readException();
      boolean found = reply.readInt() != 0;
      return new Bound(found, reply.readStrongBinder());
    } finally {
      data.recycle();
      reply.recycle();
    }
  }

  public static void unbindService(int pid, IBinder token) throws RemoteException {
    Parcel data = Parcel.obtain();
    try {
      data.writeStrongBinder(token);
      process(pid).transact(ProcessBinder.UNBIND_SERVICE, data, null, IBinder.FLAG_ONEWAY);
    } finally {
      data.recycle();
    }
  }

  static RemoteBinder process(int pid) {
    return BinderCalls.instance().handles().process(pid);
  }

  /** Heard once, on a binder thread. */
  public static void onEnd(int pid, End end) {
    ENDS.computeIfAbsent(pid, key -> new CopyOnWriteArraySet<>()).add(end);
  }

  /** False when it has heard, or is about to. */
  public static boolean noLonger(int pid, End end) {
    Set<End> waiting = ENDS.get(pid);
    return waiting != null && waiting.remove(end);
  }

  static void ended(int pid, boolean stopped, List<RemoteBinder> binders) {
    binders.forEach(RemoteBinder::died);
    Set<End> told = ENDS.remove(pid);
    if (told != null) {
      told.forEach(end -> end.ended(stopped));
    }
  }
}
