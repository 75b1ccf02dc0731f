package dev.jugg.vd.am;

import android.app.Service;
import android.content.ComponentName;
import android.content.Intent;
import android.os.Binder;
import android.os.IBinder;
import java.util.LinkedHashSet;
import java.util.Set;

/** One running service of the app. Main thread only. */
final class ServiceRecord {
  final ComponentName component;
  final IBinder token = new Binder();
  /** A {@code ServiceConnection} of this process, or the token of one elsewhere. */
  final Set<Object> connections = new LinkedHashSet<>();
  final ServiceStarts starts = new ServiceStarts(this);
  Service service;
  boolean started;
  /** What onBind answered; asked for once, as the system does. */
  IBinder binder;

  boolean bound;
  Intent bindIntent;

  ServiceRecord(ComponentName component) {
    this.component = component;
  }

  boolean isWanted() {
    return started || !connections.isEmpty();
  }
}
