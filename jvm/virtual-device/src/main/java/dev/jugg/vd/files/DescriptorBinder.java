package dev.jugg.vd.files;

import android.os.Binder;
import android.os.IBinder;
import android.os.Parcel;
import android.os.ParcelFileDescriptor;
import android.os.RemoteException;
import dev.jugg.vd.Device;
import java.io.IOException;
import java.lang.ref.Cleaner;

/** Stands for a descriptor in a parcel: who reads the parcel asks it what to open. */
final class DescriptorBinder extends Binder {
  private static final int DESCRIBE = FIRST_CALL_TRANSACTION;
  private static final int OPENED = FIRST_CALL_TRANSACTION + 1;
  private static final Cleaner CLEANER = Cleaner.create();

  /** A pipe must not end while its end is under way. */
  private static final class Kept implements Runnable {
    private ParcelFileDescriptor descriptor;

    Kept(ParcelFileDescriptor descriptor) {
      this.descriptor = descriptor;
    }

    @Override
    public synchronized void run() {
      if (descriptor == null) {
        return;
      }
      try {
        descriptor.close();
      } catch (IOException e) {
        Device.host().note(e);
      }
      descriptor = null;
    }
  }

  private final Description description;
  private final Kept kept;

  DescriptorBinder(Description description, ParcelFileDescriptor kept) {
    this.description = description;
    this.kept = new Kept(kept);
    CLEANER.register(this, this.kept);
  }

  @Override
  protected boolean onTransact(int code, Parcel data, Parcel reply, int flags) throws RemoteException {
    switch (code) {
      case DESCRIBE -> {
        reply.writeNoException();
        description.write(reply);
        return true;
      }
      case OPENED -> {
        kept.run();
        return true;
      }
      default -> {
        return super.onTransact(code, data, reply, flags);
      }
    }
  }

  /** Opens what {@code binder}, of this process or of another, stands for. */
  static ParcelFileDescriptor open(IBinder binder) throws IOException {
    if (binder instanceof DescriptorBinder own) {
      ParcelFileDescriptor opened = own.description.open();
      own.kept.run();
      return opened;
    }
    Parcel data = Parcel.obtain();
    Parcel reply = Parcel.obtain();
    try {
      if (binder == null || !binder.transact(DESCRIBE, data, reply, 0)) {
        throw new IOException("the process that had the descriptor is gone");
      }
      reply.readException();
      ParcelFileDescriptor opened = Description.read(reply).open();
      binder.transact(OPENED, data, null, IBinder.FLAG_ONEWAY);
      return opened;
    } catch (RemoteException e) {
      throw new IOException("the process that had the descriptor is gone", e);
    } finally {
      data.recycle();
      reply.recycle();
    }
  }
}
