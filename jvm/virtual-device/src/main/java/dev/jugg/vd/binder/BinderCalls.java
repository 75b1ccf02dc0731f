package dev.jugg.vd.binder;

import android.os.DeadObjectException;
import android.os.IBinder;
import android.os.Parcel;
import android.os.RemoteException;
import android.os.TransactionTooLargeException;
import com.google.gson.JsonObject;
import dev.jugg.vd.Device;
import dev.jugg.vd.host.protocol.Request;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls of binders in other processes, through the daemon, which stands where the kernel's driver stands on a device.
 * While a thread waits for its answer it serves what the called process asks in turn.
 */
final class BinderCalls {
  private static final BinderCalls INSTANCE = new BinderCalls();

  /** What a process can receive at once on a device: BINDER_VM_SIZE of AOSP's ProcessState, 1 MB less two pages. */
  private static final int MAX_BYTES = 1024 * 1024 - 2 * 4096;

  private static final class Waiting {
    final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    JsonObject answer;
  }

  /** The daemon's number of the call that this thread serves. */
  private static final ThreadLocal<Long> SERVING = new ThreadLocal<>();

  private final Handles handles = new Handles();
  private final Served served = new Served(handles);
  private final AtomicLong lastCall = new AtomicLong();
  private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();

  private BinderCalls() {}

  static BinderCalls instance() {
    return INSTANCE;
  }

  Handles handles() {
    return handles;
  }

  boolean call(RemoteBinder target, int code, Parcel data, Parcel reply, int flags) throws RemoteException {
    boolean oneWay = (flags & IBinder.FLAG_ONEWAY) != 0;
    if (target.node() != Handles.PROCESS && data.dataSize() > MAX_BYTES) {
      throw new TransactionTooLargeException("data parcel size " + data.dataSize() + " bytes");
    }
    long call = lastCall.incrementAndGet();
    JsonObject event = new JsonObject();
    event.addProperty("call", call);
    event.addProperty("pid", target.pid());
    event.addProperty("node", target.node());
    event.addProperty("code", code);
    event.addProperty("oneWay", oneWay);
    Long within = SERVING.get();
    if (within != null) {
      event.addProperty("within", within);
    }
    event.add("parcel", Served.toJson(data, handles));
    if (oneWay) {
      Device.host().channel().event("transact", event);
      return true;
    }
    Waiting mine = new Waiting();
    waiting.put(call, mine);
    try {
      Device.host().channel().event("transact", event);
      return answered(await(mine), reply);
    } finally {
      waiting.remove(call);
    }
  }

  /** As on a device, an interrupt does not end the wait; it is seen afterwards. */
  private static JsonObject await(Waiting mine) {
    boolean interrupted = false;
    try {
      while (mine.answer == null) {
        try {
          mine.work.take().run();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return mine.answer;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean answered(JsonObject answer, Parcel reply) throws RemoteException {
    if (!answer.has("parcel")) {
      throw new DeadObjectException();
    }
    if (reply != null) {
      reply.setDataSize(0);
      Served.fromJson(answer.getAsJsonObject("parcel"), reply, handles);
    }
    return answer.get("handled").getAsBoolean();
  }

  /** What the daemon says of binders; false when the request is another. On the reader's thread: never waits. */
  static boolean takes(Request request) {
    return INSTANCE.take(request);
  }

  private boolean take(Request request) {
    JsonObject params = request.params();
    switch (request.method()) {
      case "transact" -> {
        Waiting nested = waiting.get(request.optionalLong("onCall", 0));
        Runnable work = () -> serve(request);
        if (nested != null) {
          nested.work.add(work);
        } else {
          served.schedule(params.get("node").getAsInt(), params.get("oneWay").getAsBoolean(), work);
        }
        return true;
      }
      case "content" -> {
        served.execute(() -> ShellContent.answer(request));
        return true;
      }
      case "transacted" -> {
        Waiting done = waiting.get(params.get("call").getAsLong());
        if (done != null) {
          done.work.add(() -> done.answer = params);
        }
      }
      case "binderUnreferenced" -> handles.unreferenced(params.get("node").getAsInt(), params.get("sent").getAsInt());
      case "processGone" -> {
        boolean stopped = params.get("stopped").getAsBoolean();
        int pid = params.get("pid").getAsInt();
        served.execute(() -> Processes.ended(pid, stopped, handles.gone(pid)));
      }
      case "componentFound", "uriPermissionAnswer" -> Components.found(request.optionalLong("id", 0), params);
      case "contentChanged" -> served.execute(() -> RemoteProviders.changed(params));
      default -> {
        return false;
      }
    }
    request.answer(new JsonObject());
    return true;
  }

  private void serve(Request request) {
    Long before = SERVING.get();
    SERVING.set(request.params().get("call").getAsLong());
    try {
      request.answer(served.serve(request.params()));
    } finally {
      SERVING.set(before);
    }
  }
}
