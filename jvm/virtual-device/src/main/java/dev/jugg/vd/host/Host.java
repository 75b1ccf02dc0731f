package dev.jugg.vd.host;

import com.google.gson.JsonObject;
import dev.jugg.vd.host.dex.DexCache;
import dev.jugg.vd.host.protocol.Channel;
import dev.jugg.vd.host.protocol.Request;
import java.io.PrintStream;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What the sandbox side gets from the host side; both see the same class. */
public final class Host {
  private final LaunchSettings settings;
  private final Channel channel;
  private final DexCache dexCache;
  private final PrintStream diagnostics;
  private final long startedNanos;
  private final LinkedBlockingQueue<Request> early = new LinkedBlockingQueue<>();
  private volatile Consumer<Request> handler = early::add;
  private volatile boolean inHurry;
  private volatile Predicate<Request> first = request -> false;

  Host(LaunchSettings settings, Channel channel, DexCache dexCache, PrintStream diagnostics, long startedNanos) {
    this.settings = settings;
    this.channel = channel;
    this.dexCache = dexCache;
    this.diagnostics = diagnostics;
    this.startedNanos = startedNanos;
  }

  public LaunchSettings settings() {
    return settings;
  }

  public Channel channel() {
    return channel;
  }

  public DexCache dexCache() {
    return dexCache;
  }

  /** A line for the file that the daemon keeps for diagnosis. */
  public void note(String text) {
    diagnostics.println("[+" + uptimeMillis() + " ms] " + text);
  }

  /** Since the entry point was called. */
  public long uptimeMillis() {
    return (System.nanoTime() - startedNanos) / 1_000_000;
  }

  public void note(Throwable error) {
    error.printStackTrace(diagnostics);
  }

  /** Waits for the next request that came before {@link #handleWith} was called. */
  public Request nextEarly() throws InterruptedException {
    return early.take();
  }

  /** From now on requests go to {@code newHandler}, those that wait too. */
  public void handleWith(Consumer<Request> newHandler) {
    handler = newHandler;
    for (Request request = early.poll(); request != null; request = early.poll()) {
      newHandler.accept(request);
    }
  }

  /** Requests that are taken here never wait for the main thread, nor for the app to be bound. */
  public void handleFirst(Predicate<Request> newFirst) {
    first = newFirst;
  }

  /** Somebody waits for this process: what only makes a later start faster is left out. */
  public boolean isInHurry() {
    return inHurry;
  }

  void dispatch(Request request) {
    if (request.method().equals("hurry")) {
      inHurry = true;
      request.answer(new JsonObject());
    } else if (!Debugger.take(request) && !first.test(request)) {
      handler.accept(request);
    }
  }

  /** Ends the process without shutdown hooks: nothing of an app may delay it. */
  public void exit(int status) {
    Runtime.getRuntime().halt(status);
  }
}
