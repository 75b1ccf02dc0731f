package dev.jugg.vd.am;

import android.app.ActivityThread;
import android.app.AppComponentFactory;
import android.app.Application;
import android.app.IActivityManager;
import android.app.Notification;
import android.app.Service;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.content.pm.ServiceInfo;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.Device;
import dev.jugg.vd.pm.ManifestComponents;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * The app's services of this process, started and bound here. Services of its other processes and of other apps are
 * started through the daemon, and bound by {@link RemoteBindings}.
 */
public final class AppServices {
  private static final AppServices INSTANCE = new AppServices();

  private final Map<ComponentName, ServiceRecord> records = new HashMap<>();
  private final RemoteBindings elsewhere = new RemoteBindings();
  private final IActivityManager manager = Proxies.create(IActivityManager.class, this::managerCall);

  private AppServices() {}

  public static AppServices instance() {
    return INSTANCE;
  }

  /** As Context.startService: the service's name, or null when there is none. */
  public ComponentName start(Intent intent) {
    return start(intent, false);
  }

  /** {@code foreground}: as Context.startForegroundService; of services of other processes it is not asked. */
  ComponentName start(Intent intent, boolean foreground) {
    ServiceInfo info = resolve(intent);
    if (info == null || !isHere(info)) {
      return elsewhere("startService", intent, info) ? nameOf(intent, info) : null;
    }
    ComponentName component = new ComponentName(info.packageName, info.name);
    Intent delivered = new Intent(intent).setComponent(component);
    post(() -> {
      ServiceRecord record = running(info, delivered);
      if (foreground) {
        record.foreground.require();
      }
      record.starts.deliver(delivered, 0);
    });
    return component;
  }

  /**
   * A service that ran in a process that is gone; false when it is not of this process. Main thread only.
   *
   * @param intents what it has not done, or what it wants to be told again, by the flags of {@code onStartCommand}; when
   *     there are none the service gets no intent
   */
  public boolean restart(ComponentName component, List<Map.Entry<Integer, Intent>> intents) {
    Intent first = intents.isEmpty() ? new Intent().setComponent(component) : intents.get(0).getValue();
    ServiceInfo info = resolve(new Intent().setComponent(component));
    if (info == null || !isHere(info)) {
      return false;
    }
    ServiceRecord record = running(info, first);
    if (intents.isEmpty()) {
      record.starts.deliver(null, 0);
    }
    intents.forEach(each -> record.starts.deliver(each.getValue(), each.getKey()));
    return true;
  }

  /** As Context.stopService. */
  boolean stop(Intent intent) {
    ServiceInfo info = resolve(intent);
    if (info == null || !isHere(info)) {
      return elsewhere("stopService", intent, info);
    }
    post(() -> stopNow(intent));
    return true;
  }

  /** Main thread only; answers whether it ran. */
  public boolean stopNow(Intent intent) {
    ServiceInfo info = resolve(intent);
    ServiceRecord record = info == null ? null : records.get(new ComponentName(info.packageName, info.name));
    if (record == null) {
      return false;
    }
    record.starts.stopped();
    endIfUnwanted(record);
    return true;
  }

  private static boolean isHere(ServiceInfo info) {
    Application app = RuntimeEnvironment.getApplication();
    return ManifestComponents.processOf(info, app).equals(BoundApp.current().processName());
  }

  private static ComponentName nameOf(Intent intent, ServiceInfo info) {
    return info == null ? intent.getComponent() : new ComponentName(info.packageName, info.name);
  }

  /** Asks the daemon; false for what is certainly nowhere. An implicit intent never meant another app's service. */
  private static boolean elsewhere(String event, Intent intent, ServiceInfo info) {
    ComponentName name = nameOf(intent, info);
    String own = RuntimeEnvironment.getApplication().getPackageName();
    if (name == null || (info == null && name.getPackageName().equals(own))) {
      return false;
    }
    UriGrants.enforceMayGrant(intent);
    Device.host().channel().event(event, IntentReader.write(new Intent(intent).setComponent(name)));
    return true;
  }

  /** As Context.bindService; {@code executor}: where the connection hears of it. */
  boolean bind(Intent intent, ServiceConnection connection, Executor executor) {
    ServiceInfo info = resolve(intent);
    if (info == null || !isHere(info)) {
      return elsewhere.bind(intent, info, connection, executor);
    }
    ComponentName component = new ComponentName(info.packageName, info.name);
    return bindHere(intent, connection, binder -> executor.execute(() -> {
      if (binder == null) {
        connection.onNullBinding(component);
      } else {
        connection.onServiceConnected(component, binder);
      }
    }));
  }

  /**
   * Binds a service of this process; false when there is none. {@code connection} names who binds, {@code bound} hears
   * on the main thread what the service answered.
   */
  public boolean bindHere(Intent intent, Object connection, Consumer<IBinder> bound) {
    ServiceInfo info = resolve(intent);
    if (info == null || !isHere(info)) {
      return false;
    }
    Intent delivered = new Intent(intent).setComponent(new ComponentName(info.packageName, info.name));
    post(() -> {
      ServiceRecord record = running(info, delivered);
      record.connections.add(connection);
      if (!record.bound) {
        record.bound = true;
        record.bindIntent = delivered;
        record.binder = record.service.onBind(delivered);
      }
      bound.accept(record.binder);
    });
    return true;
  }

  /** {@code connection} as it was given to bind. */
  public void unbind(Object connection) {
    if (connection instanceof ServiceConnection own) {
      elsewhere.unbind(own);
    }
    post(() -> {
      for (ServiceRecord record : records.values().toArray(new ServiceRecord[0])) {
        if (record.connections.remove(connection) && record.connections.isEmpty()) {
          record.service.onUnbind(record.bindIntent);
          record.bound = false;
          endIfUnwanted(record);
        }
      }
    });
  }

  static void post(Runnable work) {
    new Handler(Looper.getMainLooper()).post(work);
  }

  private ServiceRecord running(ServiceInfo info, Intent intent) {
    ComponentName component = new ComponentName(info.packageName, info.name);
    ServiceRecord record = records.get(component);
    if (record == null) {
      record = new ServiceRecord(component, info, this::end);
      record.service = create(info, intent, record.token);
      records.put(component, record);
      record.service.onCreate();
    }
    return record;
  }

  /** As ActivityThread.handleCreateService. */
  private Service create(ServiceInfo info, Intent intent, IBinder token) {
    Application app = RuntimeEnvironment.getApplication();
    ActivityThread thread = LifecycleDriver.thread();
    Object loadedApk = ReflectionHelpers.getField(app.getBaseContext(), "mPackageInfo");
    try {
      AppComponentFactory factory = ReflectionHelpers.callInstanceMethod(loadedApk, "getAppFactory");
      Service service = factory.instantiateService(app.getClassLoader(), info.name, intent);
      Context context = ReflectionHelpers.callStaticMethod(
          Class.forName("android.app.ContextImpl"),
          "createAppContext",
          ClassParameter.from(ActivityThread.class, thread),
          ClassParameter.from(Class.forName("android.app.LoadedApk"), loadedApk));
      ReflectionHelpers.callInstanceMethod(
          context, "setOuterContext", ClassParameter.from(Context.class, service));
      service.attach(context, thread, info.name, token, app, manager);
      return service;
    } catch (ReflectiveOperationException e) {
      throw new RuntimeException("Unable to instantiate service " + info.name + ": " + e, e);
    }
  }

  private void endIfUnwanted(ServiceRecord record) {
    if (!record.isWanted() && records.remove(record.component, record)) {
      record.service.onDestroy();
      record.foreground.ended();
    }
  }

  /** It did not do what it was started for. */
  private void end(ServiceRecord record) {
    record.starts.stopped();
    record.connections.clear();
    endIfUnwanted(record);
  }

  private ServiceRecord byToken(Object token) {
    for (ServiceRecord record : records.values().toArray(new ServiceRecord[0])) {
      if (record.token == token) {
        return record;
      }
    }
    return null;
  }

  /** What a service asks of the activity manager itself. */
  private Object managerCall(String method, Object[] arguments) {
    switch (method) {
      case "setServiceForeground" -> {
        ServiceRecord record = byToken(arguments[1]);
        if (record != null) {
          record.foreground.set(
              (Integer) arguments[2], (Notification) arguments[3], (Integer) arguments[4], (Integer) arguments[5]);
        }
        return null;
      }
      case "getForegroundServiceType" -> {
        ServiceRecord record = byToken(arguments[1]);
        return record == null ? ServiceInfo.FOREGROUND_SERVICE_TYPE_NONE : record.foreground.type();
      }
      case "stopServiceToken" -> {
        return stopByToken(arguments);
      }
      default -> {
        return Proxies.DEFAULT;
      }
    }
  }

  private boolean stopByToken(Object[] arguments) {
    IBinder token = (IBinder) arguments[1];
    int startId = (Integer) arguments[2];
    for (ServiceRecord record : records.values().toArray(new ServiceRecord[0])) {
      if (record.token != token) {
        continue;
      }
      if (startId >= 0) {
        post(() -> record.starts.done(startId));
      }
      if (startId < 0 || startId == record.starts.lastId()) {
        post(() -> {
          // A start that came meanwhile goes on.
          if (startId < 0 || startId == record.starts.lastId()) {
            record.starts.stopped();
            endIfUnwanted(record);
          }
        });
        return true;
      }
    }
    return false;
  }

  private static ServiceInfo resolve(Intent intent) {
    PackageManager packages = RuntimeEnvironment.getApplication().getPackageManager();
    if (intent.getComponent() != null) {
      try {
        return packages.getServiceInfo(intent.getComponent(), 0);
      } catch (PackageManager.NameNotFoundException e) {
        return null;
      }
    }
    ResolveInfo found = packages.resolveService(intent, 0);
    return found == null ? null : found.serviceInfo;
  }
}
