package dev.jugg.host.wire;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Collects garbage when the host has become idle. With a large young generation the next compile then runs without a
 * collection of its own, which otherwise makes every second or third edit a third slower.
 */
final class Tidying {
  /** Less garbage than this is not worth a collection. */
  private static final long WORTH_BYTES = 64L << 20;

  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(work -> Server.daemon(work, "compile-host-gc"));
  private int running;
  private long usedAfterLast;

  synchronized void begin() {
    running++;
  }

  synchronized void end() {
    running--;
    if (running == 0 && used() - usedAfterLast > WORTH_BYTES) {
      worker.execute(this::collect);
    }
  }

  private void collect() {
    synchronized (this) {
      if (running > 0) {
        return;
      }
    }
    System.gc();
    synchronized (this) {
      usedAfterLast = used();
    }
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
