package dev.jugg.vd.binder;

import android.os.IBinder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.Device;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Binders that crossed a process: own ones, which others know by a number and which stay as long as somebody may use
 * them, and those of other processes, each with one stand-in. The daemon counts who holds what.
 */
final class Handles {
  /** The number of what each process answers by itself; neither counted nor given away. */
  static final int PROCESS = 0;

  private static final int REMEMBERED_ENDS = 100;

  private record Key(int pid, int node) {}

  private static final class Own {
    final int node;
    final IBinder binder;
    /** How often it was written to a parcel for another process, without those that nobody holds any more. */
    int sent;

    Own(int node, IBinder binder) {
      this.node = node;
      this.binder = binder;
    }
  }

  private final int pid = (int) ProcessHandle.current().pid();
  private final Map<Integer, Own> byNode = new HashMap<>();
  private final Map<IBinder, Own> byBinder = new IdentityHashMap<>();
  private final Map<Key, WeakReference<RemoteBinder>> remote = new HashMap<>();
  /** A parcel may be read after the end of a process whose binder is in it. The newest last. */
  private final Set<Integer> ended = new LinkedHashSet<>();
  private int lastNode = PROCESS;
  private Cleaner cleaner;

  /** For the daemon: {@code [[pid, node], …]}. */
  synchronized JsonArray write(List<IBinder> binders) {
    JsonArray handles = new JsonArray();
    for (IBinder binder : binders) {
      JsonArray handle = new JsonArray();
      if (binder instanceof RemoteBinder other) {
        handle.add(other.pid());
        handle.add(other.node());
      } else {
        Own own = byBinder.get(binder);
        if (own == null) {
          own = new Own(++lastNode, binder);
          byNode.put(own.node, own);
          byBinder.put(binder, own);
        }
        own.sent++;
        handle.add(pid);
        handle.add(own.node);
      }
      handles.add(handle);
    }
    return handles;
  }

  synchronized List<IBinder> read(JsonArray handles) {
    List<IBinder> binders = new ArrayList<>();
    for (JsonElement each : handles) {
      JsonArray handle = each.getAsJsonArray();
      int owner = handle.get(0).getAsInt();
      int node = handle.get(1).getAsInt();
      binders.add(owner == pid ? own(node) : received(owner, node));
    }
    return binders;
  }

  /** This process's own binder of that number; null when nobody was to hold it any more. */
  synchronized IBinder own(int node) {
    Own own = byNode.get(node);
    return own == null ? null : own.binder;
  }

  private RemoteBinder received(int owner, int node) {
    RemoteBinder binder = standIn(owner, node);
    binder.holding().times++;
    return binder;
  }

  /** What another process answers by itself. */
  synchronized RemoteBinder process(int owner) {
    return standIn(owner, PROCESS);
  }

  private RemoteBinder standIn(int owner, int node) {
    Key key = new Key(owner, node);
    WeakReference<RemoteBinder> known = remote.get(key);
    RemoteBinder there = known == null ? null : known.get();
    if (there != null) {
      return there;
    }
    RemoteBinder.Holding holding = new RemoteBinder.Holding(owner, node);
    RemoteBinder made = new RemoteBinder(holding);
    if (ended.contains(owner)) {
      made.died();
    }
    if (cleaner == null) {
      cleaner = Cleaner.create();
    }
    cleaner.register(made, () -> release(key, holding));
    remote.put(key, new WeakReference<>(made));
    return made;
  }

  /** Nothing here uses it any more. */
  private void release(Key key, RemoteBinder.Holding holding) {
    synchronized (this) {
      WeakReference<RemoteBinder> now = remote.get(key);
      if (now != null && now.get() == null) {
        remote.remove(key);
      }
    }
    if (holding.node == PROCESS || holding.times == 0) {
      return;
    }
    JsonObject event = new JsonObject();
    event.addProperty("pid", holding.pid);
    event.addProperty("node", holding.node);
    event.addProperty("times", holding.times);
    Device.host().channel().event("releaseBinder", event);
  }

  /** Nobody holds what was sent so many times; what the daemon had not seen by then is still on its way. */
  synchronized void unreferenced(int node, int sent) {
    Own own = byNode.get(node);
    if (own == null) {
      return;
    }
    own.sent -= sent;
    if (own.sent <= 0) {
      byNode.remove(node);
      byBinder.remove(own.binder);
    }
  }

  /** A process has ended: what stands for its binders, to be told. */
  synchronized List<RemoteBinder> gone(int owner) {
    ended.add(owner);
    if (ended.size() > REMEMBERED_ENDS) {
      ended.remove(ended.iterator().next());
    }
    List<RemoteBinder> dead = new ArrayList<>();
    remote.entrySet().removeIf(entry -> {
      if (entry.getKey().pid() != owner) {
        return false;
      }
      RemoteBinder binder = entry.getValue().get();
      if (binder != null) {
        dead.add(binder);
      }
      return true;
    });
    return dead;
  }
}
