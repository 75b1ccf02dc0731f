package dev.jugg.vd;

import com.google.gson.JsonObject;
import dev.jugg.vd.host.Host;
import dev.jugg.vd.host.protocol.ProtocolException;
import dev.jugg.vd.host.protocol.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code prepare}: what a device does with an app's code when it installs it, so that its first start is a fast one. */
final class Preparation {
  private Preparation() {}

  /** Answers on a thread of its own; a bind that comes meanwhile waits for it. */
  static void start(Host host, Request request) {
    Thread thread = new Thread(() -> run(host, request), "jugg-prepare");
    thread.setDaemon(true);
    thread.start();
  }

  private static void run(Host host, Request request) {
    long started = System.nanoTime();
    try {
      List<Path> apks = BoundApp.apks(request);
      host.dexCache().jars(apks);
      JsonObject result = new JsonObject();
      result.addProperty("translateMs", (System.nanoTime() - started) / 1_000_000);
      request.answer(result);
    } catch (ProtocolException e) {
      request.fail(e.code(), e.getMessage());
    } catch (IOException | RuntimeException e) {
      host.note(e);
      request.fail("BIND_FAILED", String.valueOf(e.getMessage()));
    }
  }
}
