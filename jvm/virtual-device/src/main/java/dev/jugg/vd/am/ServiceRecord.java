package dev.jugg.vd.am;

import android.app.Service;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.os.Binder;
import android.os.IBinder;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** One running service of the app. Main thread only. */
final class ServiceRecord {
  final ComponentName component;
  final IBinder token = new Binder();
  /** A {@code ServiceConnection} of this process, or the token of one elsewhere. */
  final Set<Object> connections = new LinkedHashSet<>();
  final ServiceInfo info;
  final ForegroundState foreground;
  final ServiceStarts starts = new ServiceStarts(this);
  Service service;
  boolean started;
  /** What onBind answered; asked for once, as the system does. */
  IBinder binder;

  boolean bound;
  Intent bindIntent;

  /** {@code stop} ends it by force. */
  ServiceRecord(ComponentName component, ServiceInfo info, Consumer<ServiceRecord> stop) {
    this.component = component;
    this.info = info;
    foreground = new ForegroundState(this, () -> stop.accept(this));
  }

  /** As the system writes it. */
  @Override
  public String toString() {
    return "ServiceRecord{" + Integer.toHexString(System.identityHashCode(this)) + " u0 "
        + component.flattenToShortString() + " c:" + component.getPackageName() + "}";
  }

  boolean isWanted() {
    return started || !connections.isEmpty();
  }
}
