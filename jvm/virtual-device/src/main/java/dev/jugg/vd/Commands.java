package dev.jugg.vd;

import android.content.ComponentName;
import android.content.Intent;
import android.os.Handler;
import android.os.Looper;
import android.view.KeyEvent;
import android.view.MotionEvent;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.agent.AgentAttacher;
import dev.jugg.vd.am.ActivityRecord;
import dev.jugg.vd.am.ActivityReport;
import dev.jugg.vd.am.ActivityTasks;
import dev.jugg.vd.am.AppServices;
import dev.jugg.vd.am.IntentReader;
import dev.jugg.vd.broadcast.BroadcastsFromOutside;
import dev.jugg.vd.am.SavedTask;
import dev.jugg.vd.am.TaskServices;
import dev.jugg.vd.config.ConfigurationChange;
import dev.jugg.vd.host.Host;
import dev.jugg.vd.host.protocol.ProtocolException;
import dev.jugg.vd.host.protocol.Request;
import dev.jugg.vd.input.AnrWatch;
import dev.jugg.vd.input.InputManagerGlobalShadow;
import dev.jugg.vd.input.Keys;
import dev.jugg.vd.input.TextInput;
import dev.jugg.vd.input.Touch;
import dev.jugg.vd.instrument.Outside;
import dev.jugg.vd.permission.Permissions;
import dev.jugg.vd.job.Jobs;
import dev.jugg.vd.settings.DeviceSettings;
import dev.jugg.vd.time.MainLoop;
import dev.jugg.vd.window.OverLock;
import dev.jugg.vd.window.RequestedOrientation;
import dev.jugg.vd.window.ScreenState;
import dev.jugg.vd.window.Screenshot;
import dev.jugg.vd.window.TreeSignature;
import dev.jugg.vd.window.ViewDump;
import dev.jugg.vd.window.Windows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** The requests of a bound process. */
final class Commands implements Consumer<Request> {
  private interface Work {
    void run() throws ProtocolException;
  }

  private final Host host;
  private final ActivityTasks tasks;
  private final Windows windows;
  private final Touch touch;
  private final Keys keys;
  private final TextInput text;
  private final AgentAttacher agents;
  private static final int SHELL_UID = 2000;

  private final AnrWatch anr;
  private final Handler main = new Handler(Looper.getMainLooper());
  /** Work that must hold up neither the reader nor the main thread. */
  private final ExecutorService background = Executors.newSingleThreadExecutor(work -> {
    Thread thread = new Thread(work, "jugg-background");
    thread.setDaemon(true);
    return thread;
  });

  Commands(Host host, ActivityTasks tasks) {
    this.host = host;
    this.tasks = tasks;
    windows = new Windows(tasks);
    InputManagerGlobalShadow.connect(windows);
    touch = new Touch(windows);
    keys = new Keys(windows);
    text = new TextInput(windows, keys);
    agents = new AgentAttacher(host);
    anr = new AnrWatch(host.channel());
    MainLoop.setIdleWork(() -> {
      windows.updateFocus();
      OverLock.update(tasks);
      RequestedOrientation.update(tasks);
    });
    MainLoop.settle().setTreeSignature(new TreeSignature(windows)::get);
  }

  @Override
  public void accept(Request request) {
    switch (request.method()) {
      case "bind" -> request.fail("ALREADY_BOUND", "this process already runs an app");
      case "prepare" -> Preparation.start(host, request);
      case "startActivity" -> onMain(request, () -> startActivity(request));
      case "restoreTask" -> onMain(request, () -> {
        long started = System.nanoTime();
        tasks.restore(request.params().getAsJsonObject("task"));
        answerShown(request, started);
      });
      case "broadcast" -> onMain(request, () -> BroadcastsFromOutside.send(
          IntentReader.read(request.params()),
          (int) request.optionalLong("fromUid", SHELL_UID),
          request.flag("ordered"),
          result -> answerSettled(request, result)));
      case "startService" -> onMain(request, () -> {
        ComponentName service = AppServices.instance().start(IntentReader.read(request.params()));
        JsonObject result = new JsonObject();
        result.addProperty("found", service != null);
        answerSettled(request, result);
      });
      case "restartService" -> onMain(request, () -> {
        JsonObject result = new JsonObject();
        result.addProperty("found", restartService(request));
        answerSettled(request, result);
      });
      case "stopService" -> onMain(request, () -> {
        JsonObject result = new JsonObject();
        result.addProperty("found", AppServices.instance().stopNow(IntentReader.read(request.params())));
        answerSettled(request, result);
      });
      case "activities" -> query(request, () -> request.answer(ActivityReport.of(tasks, windows)));
      case "viewDump" -> query(request, () -> request.answer(ViewDump.of(windows, packageName())));
      case "background" -> onMain(request, () -> {
        tasks.toBack();
        JsonObject result = new JsonObject();
        JsonObject left = SavedTask.of(tasks);
        if (left != null) {
          result.add("task", left);
        }
        answerSettled(request, result);
      });
      case "foreground" -> onMain(request, () -> {
        JsonObject result = new JsonObject();
        result.addProperty("resumed", tasks.toFront());
        answerSettled(request, result);
      });
      case "tap" -> input(request, () -> touch.tap(
          request.number("x"), request.number("y"), request.optionalLong("durationMs", 0), handled(request)));
      case "swipe" -> input(request, () -> touch.swipe(
          request.number("x1"),
          request.number("y1"),
          request.number("x2"),
          request.number("y2"),
          request.optionalLong("holdMs", 0),
          request.optionalLong("durationMs", 0),
          handled(request)));
      case "motion" -> input(request, () -> motion(request));
      case "text" -> input(request, () -> handled(request).accept(text.commit(request.string("text"))));
      case "key" -> input(request, () -> key(request));
      case "screenshot" -> query(request, () -> {
        Screenshot screenshot = Screenshot.draw(windows);
        background.execute(() -> request.answer(screenshot.encode()));
      });
      case "configure" -> onMain(request, () -> {
        ConfigurationChange.apply(request.params().getAsJsonObject("config"), tasks);
        answerSettled(request, new JsonObject());
      });
      case "screen" -> onMain(request, () -> {
        ScreenState.change(request.params());
        request.answer(new JsonObject());
      });
      case "runJob" -> onMain(request, () -> {
        JsonObject result = new JsonObject();
        result.addProperty("found", Jobs.instance().runNow((int) request.optionalLong("id", 0)));
        request.answer(result);
      });
      case "setting" -> onMain(request, () -> {
        JsonElement value = request.params().get("value");
        DeviceSettings.changed(
            request.string("namespace"), request.string("name"), value == null ? null : value.getAsString());
        request.answer(new JsonObject());
      });
      case "keyguardDismissed" -> onMain(request, () -> {
        OverLock.dismissed(request);
        request.answer(new JsonObject());
      });
      case "setPermission" -> onMain(request, () -> {
        Permissions.set(request.string("permission"), request.flag("granted"));
        if (request.params().has("refusals")) {
          Permissions.refused(request.string("permission"), request.params().get("refusals").getAsInt());
        }
        request.answer(new JsonObject());
      });
      case "attachAgent" -> inBackground(request, () -> {
        agents.attach(request.string("options"));
        request.answer(new JsonObject());
      });
      case "uiAutomationAnswer" -> {
        Outside.answered(request.optionalLong("id", 0), request.params().getAsJsonObject("value"));
        request.answer(new JsonObject());
      }
      case "trim" -> inBackground(request, () -> {
        System.gc();
        request.answer(new JsonObject());
      });
      case "memory" -> request.answer(memory());
      default -> request.fail("INVALID_PARAMS", "no such method: " + request.method());
    }
  }

  private void startActivity(Request request) throws ProtocolException {
    Intent intent = IntentReader.read(request.params()).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    long started = System.nanoTime();
    if (!TaskServices.starter().startFromShell(intent)) {
      throw new ProtocolException("ACTIVITY_NOT_FOUND", "no activity for " + intent);
    }
    answerShown(request, started);
  }

  private static boolean restartService(Request request) throws ProtocolException {
    List<Map.Entry<Integer, Intent>> intents = new ArrayList<>();
    for (JsonElement start : request.params().getAsJsonArray("starts")) {
      JsonObject json = start.getAsJsonObject();
      intents.add(Map.entry(
          json.get("startFlags").getAsInt(), IntentReader.read(json.getAsJsonObject("intent"))));
    }
    ComponentName component = ComponentName.unflattenFromString(request.string("component"));
    return component != null && AppServices.instance().restart(component, intents);
  }

  /** A launch has been posted; it runs before anything that is posted now. */
  private void answerShown(Request request, long started) {
    main.post(() -> MainLoop.settle().whenSettled(settled -> {
      ActivityRecord top = tasks.top();
      JsonObject result = new JsonObject();
      result.addProperty("component", top == null ? "" : top.shortComponent());
      result.addProperty("resumed", top != null && top.state() == ActivityRecord.State.RESUMED);
      result.addProperty("launchMs", (System.nanoTime() - started) / 1_000_000);
      result.addProperty("laidOutMs", Math.max(0, windows.focusedSinceNanos() - started) / 1_000_000);
      result.addProperty("settled", settled);
      request.answer(result);
    }));
  }

  private void key(Request request) throws ProtocolException {
    int keyCode = (int) request.number("keyCode");
    if (keyCode == KeyEvent.KEYCODE_HOME) {
      TaskServices.starter().home();
      handled(request).accept(true);
      return;
    }
    keys.press(keyCode, (int) request.optionalLong("metaState", 0), request.flag("longPress"), handled(request));
  }

  /** Between two events of a gesture nothing comes to rest: only its end waits for that. */
  private void motion(Request request) throws ProtocolException {
    int action = switch (request.string("action")) {
      case "down" -> MotionEvent.ACTION_DOWN;
      case "move" -> MotionEvent.ACTION_MOVE;
      case "up" -> MotionEvent.ACTION_UP;
      case "cancel" -> MotionEvent.ACTION_CANCEL;
      default -> throw new ProtocolException("INVALID_PARAMS", "no such action: " + request.string("action"));
    };
    boolean taken = touch.motion(action, request.number("x"), request.number("y"));
    if (action == MotionEvent.ACTION_UP) {
      handled(request).accept(taken);
      return;
    }
    JsonObject result = new JsonObject();
    result.addProperty("handled", taken);
    request.answer(result);
  }

  private Consumer<Boolean> handled(Request request) {
    return handled -> {
      JsonObject result = new JsonObject();
      result.addProperty("handled", handled);
      // Posted, so that what the event itself posted has run before the screen is looked at.
      main.post(() -> MainLoop.settle().whenSettledAfterInput(settled -> {
        result.addProperty("settled", settled);
        request.answer(result);
      }));
    };
  }

  private void answerSettled(Request request, JsonObject result) {
    main.post(() -> MainLoop.settle().whenSettled(settled -> request.answer(result)));
  }

  private void input(Request request, Work work) {
    Runnable begun = anr.queued(request.method());
    onMain(request, () -> {
      begun.run();
      work.run();
    });
  }

  /** What throws here is the app's own code: the exception goes on to the looper and so to the crash handler. */
  private void onMain(Request request, Work work) {
    main.post(() -> run(request, work));
  }

  /** Reads only: what throws is no crash of the app. */
  private void query(Request request, Work work) {
    main.post(() -> {
      try {
        run(request, work);
      } catch (RuntimeException e) {
        host.note(e);
        request.fail("INTERNAL", e.toString());
      }
    });
  }

  private void inBackground(Request request, Work work) {
    background.execute(() -> {
      try {
        run(request, work);
      } catch (RuntimeException e) {
        host.note(e);
        request.fail("INTERNAL", e.toString());
      }
    });
  }

  private static void run(Request request, Work work) {
    try {
      work.run();
    } catch (ProtocolException e) {
      request.fail(e.code(), e.getMessage());
    }
  }

  private static String packageName() {
    return BoundApp.current().packageName();
  }

  private static JsonObject memory() {
    Runtime runtime = Runtime.getRuntime();
    JsonObject result = new JsonObject();
    result.addProperty("heapUsed", runtime.totalMemory() - runtime.freeMemory());
    result.addProperty("heapMax", runtime.maxMemory());
    return result;
  }
}
