package dev.jugg.host.wire;

import com.google.gson.JsonObject;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Collects garbage when the host has been idle for a moment. With a large young generation the next compile then runs without a
 * collection of its own, which otherwise makes every second or third edit a third slower. A host that is never idle is
 * looked at too, when its heap has filled so far that the client would have another one if all of it were live.
 */
final class Tidying {
  /** Less garbage than this is not worth a collection. */
  private static final long WORTH_BYTES = 64L << 20;

  /** The requests of one build follow each other closely: a collection between them would only hold up the next. */
  private static final long QUIET_MS = 600;

  /** Between collections that are made under load: each of them stops the compilers for a moment. */
  private static final long UNDER_LOAD_NS = TimeUnit.SECONDS.toNanos(5);

  /** Set by the client: the part of the heap, 0..1, beyond which live data makes it take another host. */
  private static final double CEILING = Double.parseDouble(System.getProperty("jugg.recycleAt", "0.5"));

  private final Answers answers;
  private final ScheduledExecutorService worker =
      Executors.newSingleThreadScheduledExecutor(work -> Server.daemon(work, "compile-host-gc"));
  private ScheduledFuture<?> planned;
  private int running;
  private long usedAfterLast;
  private long collectedAt = System.nanoTime();

  Tidying(Answers answers) {
    this.answers = answers;
  }

  synchronized void begin() {
    running++;
    if (planned != null) {
      planned.cancel(false);
      planned = null;
    }
  }

  synchronized void end() {
    running--;
    long used = used();
    if (running == 0 && used - usedAfterLast > WORTH_BYTES) {
      planned = worker.schedule(this::collectIfIdle, QUIET_MS, TimeUnit.MILLISECONDS);
    } else if (used > CEILING * Runtime.getRuntime().maxMemory() && System.nanoTime() - collectedAt > UNDER_LOAD_NS) {
      collectedAt = System.nanoTime();
      worker.execute(this::collect);
    }
  }

  private void collectIfIdle() {
    synchronized (this) {
      if (running > 0) {
        return;
      }
    }
    collect();
  }

  private void collect() {
    System.gc();
    long live = used();
    synchronized (this) {
      usedAfterLast = live;
      collectedAt = System.nanoTime();
    }
    // The client ends a host that has grown.
    JsonObject memory = new JsonObject();
    memory.addProperty("live", live);
    memory.addProperty("max", Runtime.getRuntime().maxMemory());
    answers.event("memory", memory);
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
