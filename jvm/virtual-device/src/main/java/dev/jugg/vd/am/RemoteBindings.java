package dev.jugg.vd.am;

import android.content.ComponentName;
import android.content.Intent;
import android.content.ServiceConnection;
import android.content.pm.PackageManager;
import android.content.pm.ServiceInfo;
import android.os.Binder;
import android.os.IBinder;
import android.os.RemoteException;
import android.util.Log;
import com.google.gson.JsonObject;
import dev.jugg.vd.binder.Components;
import dev.jugg.vd.binder.Processes;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.robolectric.RuntimeEnvironment;

/** Services of other processes that this one has bound. */
final class RemoteBindings {
  /** Until a service whose process has died comes back: SERVICE_RESTART_DURATION and its factor of AOSP's ActiveServices. */
  private static final long RESTART_MS = 1000;
  private static final int RESTART_FACTOR = 4;
  private static final long LONGEST_RESTART_MS = 60_000;
  private static final int WAITING_THREADS = 4;

  private final Map<ServiceConnection, List<Binding>> bindings = new IdentityHashMap<>();
  /** Waits for processes, never the main thread. */
  private final ScheduledExecutorService waits = Executors.newScheduledThreadPool(WAITING_THREADS, work -> {
    Thread thread = new Thread(work, "jugg-bindings");
    thread.setDaemon(true);
    return thread;
  });

  /** As Context.bindService; {@code info}: when it is a service of this app. */
  boolean bind(Intent intent, ServiceInfo info, ServiceConnection connection, Executor executor) {
    Intent asked = info == null ? intent : new Intent(intent).setComponent(new ComponentName(info.packageName, info.name));
    JsonObject question = IntentReader.write(asked);
    if (asked.getPackage() != null) {
      question.addProperty("packageName", asked.getPackage());
    }
    JsonObject found = Components.service(question, false);
    if (!found.get("found").getAsBoolean()) {
      return false;
    }
    if (found.has("denied") || lacks(Components.text(found, "permission"))) {
      throw new SecurityException("Not allowed to bind to service " + intent);
    }
    ComponentName component = ComponentName.unflattenFromString(Components.text(found, "component"));
    Binding binding = new Binding(new Intent(asked).setComponent(component), connection, executor);
    synchronized (bindings) {
      List<Binding> all = bindings.computeIfAbsent(connection, key -> new ArrayList<>());
      if (all.stream().anyMatch(other -> other.intent.filterEquals(binding.intent))) {
        return true;
      }
      all.add(binding);
    }
    waits.execute(binding::connect);
    return true;
  }

  /** Those of this connection, if there are any. */
  void unbind(ServiceConnection connection) {
    List<Binding> ended;
    synchronized (bindings) {
      ended = bindings.remove(connection);
    }
    if (ended != null) {
      ended.forEach(Binding::end);
    }
  }

  private static boolean lacks(String permission) {
    return permission != null
        && RuntimeEnvironment.getApplication().checkSelfPermission(permission) != PackageManager.PERMISSION_GRANTED;
  }

  private final class Binding {
    private final Intent intent;
    private final ServiceConnection connection;
    private final Executor executor;
    /** Names this binding to the other process, which unbinds when this process ends. */
    private final IBinder token = new Binder();
    private long restartMs = RESTART_MS;
    private int pid;
    private boolean connected;
    private boolean ended;

    Binding(Intent intent, ServiceConnection connection, Executor executor) {
      this.intent = intent;
      this.connection = connection;
      this.executor = executor;
    }

    void connect() {
      // An unbind waits for it.
      synchronized (token) {
        find();
      }
    }

    private void find() {
      JsonObject found = Components.service(IntentReader.write(intent), true);
      if (!found.has("pid")) {
        String why = found.has("failed") ? found.get("failed").getAsString() : "it is not there any more";
        Log.w("ActivityManager", "Unable to launch app for service " + intent + ": " + why);
        return;
      }
      int process = found.get("pid").getAsInt();
      synchronized (this) {
        if (ended) {
          return;
        }
        pid = process;
      }
      Processes.End end = this::processEnded;
      Processes.onEnd(process, end);
      try {
        Processes.Bound bound = Processes.bindService(process, intent, token);
        if (bound.found()) {
          tell(bound.binder());
        }
      } catch (RemoteException e) {
        if (Processes.noLonger(process, end)) {
          // It ended before anybody listened.
          processEnded(false);
        }
      }
    }

    private synchronized void tell(IBinder binder) {
      connected = binder != null;
      ComponentName name = intent.getComponent();
      executor.execute(() -> {
        if (isEnded()) {
          return;
        }
        if (binder == null) {
          connection.onNullBinding(name);
        } else {
          connection.onServiceConnected(name, binder);
        }
      });
    }

    /** As on a device, what is bound comes back by itself, unless its app was stopped. */
    private synchronized void processEnded(boolean stopped) {
      boolean was = connected;
      connected = false;
      if (ended) {
        return;
      }
      ComponentName name = intent.getComponent();
      executor.execute(() -> {
        if (was && !isEnded()) {
          connection.onServiceDisconnected(name);
        }
        if (stopped && !isEnded()) {
          connection.onBindingDied(name);
        }
      });
      if (!stopped) {
        waits.schedule(this::connect, restartMs, TimeUnit.MILLISECONDS);
        restartMs = Math.min(restartMs * RESTART_FACTOR, LONGEST_RESTART_MS);
      }
    }

    private synchronized boolean isEnded() {
      return ended;
    }

    void end() {
      int process;
      synchronized (this) {
        ended = true;
        process = pid;
      }
      if (process != 0) {
        waits.execute(() -> {
          synchronized (token) {
            try {
              Processes.unbindService(process, token);
            } catch (RemoteException e) {
              // The service has ended with its process.
            }
          }
        });
      }
    }
  }
}
