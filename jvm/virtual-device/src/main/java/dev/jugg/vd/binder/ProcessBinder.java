package dev.jugg.vd.binder;

import android.content.Intent;
import android.os.Binder;
import android.os.DeadObjectException;
import android.os.IBinder;
import android.os.Parcel;
import android.os.RemoteException;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.am.AppServices;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** What this process answers other processes by itself: its services and its content providers. */
public final class ProcessBinder extends Binder {
  static final int BIND_SERVICE = FIRST_CALL_TRANSACTION;
  static final int UNBIND_SERVICE = FIRST_CALL_TRANSACTION + 1;
  /** And all above: see {@link ProviderCalls}. */
  static final int PROVIDER = FIRST_CALL_TRANSACTION + 100;

  private static final CountDownLatch PROVIDERS = new CountDownLatch(1);
  private static final CountDownLatch BOUND = new CountDownLatch(1);

  ProcessBinder() {}

  /** From now on its content providers answer; the application may not be there yet, as on a device. */
  public static void providersAreThere() {
    PROVIDERS.countDown();
  }

  /** From now on its main thread works for others. */
  public static void isBound() {
    PROVIDERS.countDown();
    BOUND.countDown();
  }

  static void awaitProviders() {
    try {
      PROVIDERS.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected boolean onTransact(int code, Parcel data, Parcel reply, int flags) throws RemoteException {
    try {
      if (code >= PROVIDER) {
        PROVIDERS.await();
        return ProviderCalls.serve(code, data, reply);
      }
      BOUND.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    switch (code) {
      case BIND_SERVICE -> {
        Intent intent = Intent.CREATOR.createFromParcel(data);
        intent.setExtrasClassLoader(BoundApp.current().loader());
        bind(intent, data.readStrongBinder(), reply);
        return true;
      }
      case UNBIND_SERVICE -> {
        AppServices.instance().unbind(data.readStrongBinder());
        return true;
      }
      default -> {
        return super.onTransact(code, data, reply, flags);
      }
    }
  }

  private static void bind(Intent intent, IBinder token, Parcel reply) throws RemoteException {
    CompletableFuture<IBinder> bound = new CompletableFuture<>();
    boolean found = AppServices.instance().bindHere(intent, token, bound::complete);
    reply.writeNoException();
    reply.writeInt(found ? 1 : 0);
    reply.writeStrongBinder(found ? bound.join() : null);
    if (found) {
      try {
        token.linkToDeath(() -> AppServices.instance().unbind(token), 0);
      } catch (DeadObjectException e) {
        AppServices.instance().unbind(token);
      }
    }
  }
}
