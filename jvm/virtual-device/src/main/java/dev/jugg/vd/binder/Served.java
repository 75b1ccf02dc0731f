package dev.jugg.vd.binder;

import android.os.Binder;
import android.os.IBinder;
import android.os.Parcel;
import android.os.RemoteException;
import android.util.Log;
import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What other processes call here, on this process's binder threads. */
final class Served {
  /** The default of AOSP's ProcessState, and the thread that joins the pool by itself. */
  private static final int THREADS = 16;

  private final Handles handles;
  private final AtomicInteger lastThread = new AtomicInteger();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), this::newThread);
  /** Calls without an answer that wait for the one before them, by number of the binder. */
  private final Map<Integer, Queue<Runnable>> oneWay = new HashMap<>();
  private Binder process;

  Served(Handles handles) {
    this.handles = handles;
    threads.allowCoreThreadTimeOut(true);
  }

  private Thread newThread(Runnable work) {
    String name = "binder:" + ProcessHandle.current().pid() + "_" + Integer.toHexString(lastThread.incrementAndGet());
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  void execute(Runnable work) {
    threads.execute(work);
  }

  /** Calls without an answer come to a binder one after the other, as on a device. */
  void schedule(int node, boolean isOneWay, Runnable work) {
    if (!isOneWay) {
      threads.execute(work);
      return;
    }
    synchronized (oneWay) {
      Queue<Runnable> before = oneWay.get(node);
      if (before != null) {
        before.add(work);
        return;
      }
      oneWay.put(node, new ArrayDeque<>());
    }
    threads.execute(() -> inTurn(node, work));
  }

  private void inTurn(int node, Runnable first) {
    for (Runnable next = first; next != null; ) {
      next.run();
      synchronized (oneWay) {
        next = oneWay.get(node).poll();
        if (next == null) {
          oneWay.remove(node);
        }
      }
    }
  }

  /** Made late: before the framework is up there is none. */
  private synchronized Binder process() {
    if (process == null) {
      process = new ProcessBinder();
    }
    return process;
  }

  /** Does a call and answers what the daemon passes on; an Error of the app's code is a crash of the app. */
  JsonObject serve(JsonObject call) {
    int node = call.get("node").getAsInt();
    IBinder target = node == Handles.PROCESS ? process() : handles.own(node);
    JsonObject answer = new JsonObject();
    Parcel data = Parcel.obtain();
    Parcel reply = Parcel.obtain();
    BoundApp app = BoundApp.current();
    if (app != null) {
      Thread.currentThread().setContextClassLoader(app.loader());
    }
    BinderShadow.Caller before = BinderShadow.setCaller(
        new BinderShadow.Caller(call.get("callerPid").getAsInt(), call.get("callerUid").getAsInt()));
    try {
      fromJson(call.getAsJsonObject("parcel"), data, handles);
      boolean handled = target instanceof Binder binder && run(binder, call, data, reply);
      if (call.get("oneWay").getAsBoolean()) {
        reply.setDataSize(0);
      }
      answer.add("parcel", reply(reply));
      answer.addProperty("handled", handled);
    } finally {
      BinderShadow.setCaller(before);
      data.recycle();
      reply.recycle();
    }
    return answer;
  }

  /** What cannot leave the process is logged here, and the other side gets an empty reply. */
  private JsonObject reply(Parcel reply) {
    try {
      return toJson(reply, handles);
    } catch (RuntimeException e) {
      Log.e("JavaBinder", "The reply cannot leave this process on the virtual device: " + e.getMessage(), e);
      reply.setDataSize(0);
      return toJson(reply, handles);
    }
  }

  /** As Binder.execTransact: known exceptions travel in the reply, others are only logged. */
  private static boolean run(Binder target, JsonObject call, Parcel data, Parcel reply) {
    boolean isOneWay = call.get("oneWay").getAsBoolean();
    int code = call.get("code").getAsInt();
    if (code == IBinder.PING_TRANSACTION) {
      return true;
    }
    try {
      return onTransact(target, code, data, reply, isOneWay ? IBinder.FLAG_ONEWAY : 0);
    } catch (RemoteException | RuntimeException e) {
      if (isOneWay) {
        Log.w("Binder", "Caught a RuntimeException from the binder stub implementation.", e);
        return true;
      }
      reply.setDataSize(0);
      reply.setDataPosition(0);
      try {
        reply.writeException(e);
        return true;
      } catch (RuntimeException unknown) {
        Log.e("JavaBinder", "*** Uncaught remote exception!  (Exceptions are not yet supported across processes.)", e);
        reply.setDataSize(0);
        return false;
      }
    }
  }

  private static boolean onTransact(Binder target, int code, Parcel data, Parcel reply, int flags)
      throws RemoteException {
    try {
      Method method = Binder.class.getDeclaredMethod("onTransact", int.class, Parcel.class, Parcel.class, int.class);
      method.setAccessible(true);
      return (boolean) method.invoke(target, code, data, reply, flags);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RemoteException remote) {
        throw remote;
      }
      if (e.getCause() instanceof RuntimeException runtime) {
        throw runtime;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new RuntimeException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static JsonObject toJson(Parcel parcel, Handles handles) {
    ParcelWire.Content content = ParcelWire.write(parcel);
    JsonObject json = new JsonObject();
    json.addProperty("data", content.data());
    json.add("binders", handles.write(content.binders()));
    return json;
  }

  static void fromJson(JsonObject json, Parcel parcel, Handles handles) {
    ParcelWire.read(
        new ParcelWire.Content(json.get("data").getAsString(), handles.read(json.getAsJsonArray("binders"))), parcel);
  }
}
