package dev.jugg.vd.broadcast;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Context;
import android.content.IIntentReceiver;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.PackageParser;
import android.net.Uri;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.Process;
import android.os.RemoteException;
import android.util.Log;
import dev.jugg.vd.pm.ManifestComponents;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

/** The activity manager's part of broadcasts, for the receivers of this process. */
public final class BroadcastQueue {
  private static final BroadcastQueue INSTANCE = new BroadcastQueue();

  private final List<RegisteredReceiver> registered = new ArrayList<>();
  private final List<ManifestReceiver> declared = new ArrayList<>();
  private final List<Intent> sticky = new ArrayList<>();
  private final Deque<Delivery> deliveries = new ArrayDeque<>();

  private final Handler main = new Handler(Looper.getMainLooper());
  private final Runnable giveUp = this::giveUp;

  private BroadcastQueue() {}

  public static BroadcastQueue instance() {
    return INSTANCE;
  }

  /** What the manifest declares for this process; what was known before is forgotten. */
  public synchronized void declare(PackageParser.Package parsed, String processName) {
    registered.clear();
    declared.clear();
    deliveries.clear();
    sticky.clear();
    sticky.add(Battery.changed());
    for (PackageParser.Activity receiver : parsed.receivers) {
      ActivityInfo info = receiver.info;
      if (!processName.equals(ManifestComponents.processOf(info, parsed.packageName)) || !info.enabled) {
        continue;
      }
      int priority = receiver.intents.stream().mapToInt(IntentFilter::getPriority).max().orElse(0);
      declared.add(new ManifestReceiver(info, receiver.intents, priority));
    }
  }

  /** Answers the newest sticky broadcast that fits. {@code receiver} is null for who only asks for that. */
  synchronized Intent register(IIntentReceiver receiver, IntentFilter filter, String permission, int flags) {
    List<Intent> known = new ArrayList<>();
    for (Intent intent : sticky) {
      if (fits(filter, intent, intent.getType())) {
        known.add(intent);
      }
    }
    Intent newest = known.isEmpty() ? null : known.get(known.size() - 1);
    if (receiver == null) {
      return newest;
    }
    registered.add(new RegisteredReceiver(
        receiver, filter, permission, (flags & Context.RECEIVER_NOT_EXPORTED) == 0));
    for (Intent intent : known) {
      perform(receiver, intent, Activity.RESULT_OK, true);
    }
    return newest;
  }

  synchronized void unregister(IIntentReceiver receiver) {
    registered.removeIf(one -> one.receiver().asBinder() == receiver.asBinder());
  }

  /** False when the broadcast names a receiver that this process does not have. */
  synchronized boolean send(Broadcast broadcast) {
    Intent intent = broadcast.intent();
    if (broadcast.sticky()) {
      sticky.removeIf(old -> old.filterEquals(intent));
      sticky.add(new Intent(intent));
    }
    List<Target> dynamic = new ArrayList<>();
    if (intent.getComponent() == null) {
      registered.stream().filter(one -> hears(one, broadcast)).forEach(dynamic::add);
    }
    List<Target> manifest = new ArrayList<>();
    declared.stream().filter(one -> hears(one, broadcast)).forEach(manifest::add);
    boolean isFound = intent.getComponent() == null || !manifest.isEmpty();
    List<Target> chain = new ArrayList<>(manifest);
    if (broadcast.ordered()) {
      chain.addAll(0, dynamic);
      chain.sort(Comparator.comparingInt(Target::priority).reversed());
    } else {
      for (Target target : dynamic) {
        perform(((RegisteredReceiver) target).receiver(), intent, broadcast.code(), broadcast.sticky());
      }
    }
    enqueue(new Delivery(broadcast, chain));
    return isFound;
  }

  synchronized void finished(Object token, int code, String data, Bundle extras, boolean abort) {
    Delivery first = deliveries.peek();
    if (first != null && first.isAt(token)) {
      first.finished(code, data, extras, abort);
      proceed();
    }
  }

  private void enqueue(Delivery delivery) {
    deliveries.add(delivery);
    if (deliveries.size() == 1) {
      proceed();
    }
  }

  private void proceed() {
    main.removeCallbacks(giveUp);
    while (!deliveries.isEmpty() && !deliveries.peek().proceed()) {
      deliveries.remove();
    }
    if (!deliveries.isEmpty()) {
      main.postDelayed(giveUp, deliveries.peek().limitMs());
    }
  }

  /** The receiver that has the first one does not finish: the others go on without it. */
  private synchronized void giveUp() {
    Delivery first = deliveries.peek();
    if (first != null) {
      Log.w("BroadcastQueue", "Timeout of broadcast " + first.broadcast().intent() + ": a receiver did not finish");
      first.skip();
      proceed();
    }
  }

  private static void perform(IIntentReceiver receiver, Intent intent, int code, boolean isSticky) {
    try {
      receiver.performReceive(new Intent(intent), code, null, null, false, isSticky, 0);
    } catch (RemoteException e) {
      // It is of this process.
      throw new IllegalStateException(e);
    }
  }

  private static boolean hears(RegisteredReceiver one, Broadcast broadcast) {
    return isForThisApp(broadcast.intent())
        && fits(one.filter(), broadcast.intent(), broadcast.type())
        && (one.isExported() || broadcast.mayReachUnexported(Process.myUid()))
        && holds(broadcast.permissions())
        && senderHolds(one.permission(), broadcast);
  }

  private static boolean hears(ManifestReceiver one, Broadcast broadcast) {
    Intent intent = broadcast.intent();
    ComponentName component = intent.getComponent();
    boolean isMeant = component != null
        ? component.getPackageName().equals(one.info().packageName) && component.getClassName().equals(one.info().name)
        : BackgroundLimits.reachesManifests(intent, one.info().applicationInfo.targetSdkVersion)
            && one.filters().stream().anyMatch(filter -> fits(filter, intent, broadcast.type()));
    return isMeant
        && isForThisApp(intent)
        && (one.info().exported || broadcast.mayReachUnexported(Process.myUid()))
        && holds(broadcast.permissions())
        && senderHolds(one.info().permission, broadcast);
  }

  private static boolean fits(IntentFilter filter, Intent intent, String type) {
    Uri data = intent.getData();
    return filter.match(intent.getAction(), type, intent.getScheme(), data, intent.getCategories(), "BroadcastQueue") >= 0;
  }

  private static boolean isForThisApp(Intent intent) {
    return intent.getPackage() == null || intent.getPackage().equals(RuntimeEnvironment.getApplication().getPackageName());
  }

  private static boolean holds(String[] permissions) {
    for (String permission : permissions) {
      if (!isGranted(permission)) {
        return false;
      }
    }
    return true;
  }

  /** Of others the daemon knows. */
  private static boolean senderHolds(String permission, Broadcast broadcast) {
    return permission == null || broadcast.fromUid() != Process.myUid() || isGranted(permission);
  }

  private static boolean isGranted(String permission) {
    return RuntimeEnvironment.getApplication().checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED;
  }
}
