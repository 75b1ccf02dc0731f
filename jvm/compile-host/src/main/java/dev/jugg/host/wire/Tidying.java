package dev.jugg.host.wire;

import com.google.gson.JsonObject;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Collects garbage when the host has been idle for a moment. With a large young generation the next compile then runs without a
 * collection of its own, which otherwise makes every second or third edit a third slower.
 */
final class Tidying {
  /** Less garbage than this is not worth a collection. */
  private static final long WORTH_BYTES = 64L << 20;

  /** The requests of one build follow each other closely: a collection between them would only hold up the next. */
  private static final long QUIET_MS = 600;

  private final Answers answers;
  private final ScheduledExecutorService worker =
      Executors.newSingleThreadScheduledExecutor(work -> Server.daemon(work, "compile-host-gc"));
  private ScheduledFuture<?> planned;
  private int running;
  private long usedAfterLast;

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
    if (running == 0 && used() - usedAfterLast > WORTH_BYTES) {
      planned = worker.schedule(this::collect, QUIET_MS, TimeUnit.MILLISECONDS);
    }
  }

  private void collect() {
    synchronized (this) {
      if (running > 0) {
        return;
      }
    }
    System.gc();
    long live = used();
    synchronized (this) {
      usedAfterLast = live;
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
