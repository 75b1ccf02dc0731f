package dev.jugg.vd.input;

import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.host.Debugger;
import dev.jugg.vd.host.protocol.Channel;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tells when the main thread does not take an input event in time, as Android's input dispatcher does. */
public final class AnrWatch {
  /** Of AOSP's input dispatcher, DEFAULT_INPUT_DISPATCHING_TIMEOUT. */
  private static final long TIMEOUT_MILLIS = 5000;

  private final Channel channel;
  private final AtomicBoolean told = new AtomicBoolean();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(work -> {
    Thread thread = new Thread(work, "jugg-anr");
    thread.setDaemon(true);
    return thread;
  });

  public AnrWatch(Channel channel) {
    this.channel = channel;
  }

  /** Call when an event is queued for the main thread, and the answer on the main thread when its turn has come. */
  public Runnable queued(String kind) {
    AtomicBoolean begun = new AtomicBoolean();
    clock.schedule(() -> {
      // One report for one stall, however many events wait.
      if (!begun.get() && !Debugger.isAttached() && told.compareAndSet(false, true)) {
        report(kind);
      }
    }, TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    return () -> {
      begun.set(true);
      told.set(false);
    };
  }

  private void report(String kind) {
    JsonObject params = new JsonObject();
    params.addProperty(
        "reason",
        "Input dispatching timed out (" + BoundApp.current().packageName() + " is not responding. Waited "
            + TIMEOUT_MILLIS + "ms for " + kind + ")");
    channel.event("anr", params);
  }
}
