package dev.jugg.vd;

import android.content.Intent;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.jugg.vd.am.ActivityRecord.State;
import dev.jugg.vd.am.ActivityTasks;
import dev.jugg.vd.am.DeviceEvents;
import dev.jugg.vd.am.IntentReader;
import dev.jugg.vd.binder.ProcessBinder;
import dev.jugg.vd.binder.Processes;
import dev.jugg.vd.config.ScreenConfiguration;
import dev.jugg.vd.host.Host;
import dev.jugg.vd.host.SandboxLoader;
import dev.jugg.vd.host.protocol.LogSink;
import dev.jugg.vd.host.protocol.ProtocolException;
import dev.jugg.vd.host.protocol.Request;
import dev.jugg.vd.time.MainLoop;
import dev.jugg.vd.warm.WarmUp;
import org.robolectric.internal.TestEnvironment;

/** The sandbox side of an app process, on its main thread: warm up, wait for {@code bind}, run the app. */
public final class Device implements Runnable {
  private static volatile Host host;

  private final SandboxLoader sandbox;
  private final FrameworkSetup setup;
  private final CrashHandler crashes;

  public Device(Host newHost, Object environment, Object sandboxLoader) {
    host = newHost;
    newHost.handleFirst(Processes::takes);
    sandbox = (SandboxLoader) sandboxLoader;
    setup = new FrameworkSetup((TestEnvironment) environment, sandbox);
    crashes = new CrashHandler(newHost);
  }

  public static Host host() {
    return host;
  }

  @Override
  public void run() {
    Thread.currentThread().setName("main");
    LogSink.mainThread(Thread.currentThread());
    try {
      ScreenConfiguration.use(ScreenConfiguration.of(host.settings().config()));
      Thread.currentThread().setContextClassLoader(sandbox);
      WarmUp.run(setup, host::isInHurry);
      host.note(host.isInHurry() ? "not warm: somebody waits" : "warm");
      if (host.settings().archiveRun()) {
        sandbox.linkAll();
      } else if (!host.isInHurry()) {
        // Boot leaves a third of the heap as garbage: an app would be held up by its collection as it starts.
        System.gc();
      }
      JsonObject ready = new JsonObject();
      ready.addProperty("bootMs", host.uptimeMillis());
      host.channel().event("ready", ready);
      if (!host.settings().archiveRun()) {
        waitForBind();
      }
    } catch (Exception | LinkageError e) {
      host.note(e);
      host.exit(1);
    }
  }

  private void waitForBind() throws InterruptedException {
    while (true) {
      Request request = host.nextEarly();
      switch (request.method()) {
        case "bind" -> bindAndRun(request);
        case "prepare" -> Preparation.start(host, request);
        default -> request.fail("NOT_BOUND", "this process waits as a spare");
      }
    }
  }

  /** Returns only when the request was wrong; what goes wrong later ends the process. */
  private void bindAndRun(Request request) {
    long started = System.nanoTime();
    AppBinder binder = new AppBinder(host, sandbox, setup, new Events());
    ActivityTasks tasks;
    try {
      tasks = binder.bind(request, crashes);
    } catch (ProtocolException e) {
      request.fail(e.code(), e.getMessage());
      return;
    }
    JsonObject result = new JsonObject();
    result.addProperty("bindMs", (System.nanoTime() - started) / 1_000_000);
    JsonArray warnings = new JsonArray();
    binder.warnings().forEach(warnings::add);
    result.add("warnings", warnings);
    Commands commands = new Commands(host, tasks);
    host.handleWith(commands);
    ProcessBinder.isBound();
    request.answer(result);
    try {
      MainLoop.run();
    } catch (Throwable e) {
      // Whatever the app threw on its main thread: to its own handler if it has set one, else to ours.
      Thread.currentThread().getUncaughtExceptionHandler().uncaughtException(Thread.currentThread(), e);
      crashes.uncaughtException(Thread.currentThread(), e);
    }
  }

  private static final class Events implements DeviceEvents {
    @Override
    public void activity(String component, State state) {
      JsonObject params = new JsonObject();
      params.addProperty("component", component);
      params.addProperty("state", state.name());
      host.channel().event("activity", params);
    }

    @Override
    public void started(Intent intent) {
      host.channel().event("started", IntentReader.write(intent));
    }

    @Override
    public void home(JsonObject left) {
      JsonObject params = new JsonObject();
      if (left != null) {
        params.add("task", left);
      }
      host.channel().event("home", params);
    }
  }
}
