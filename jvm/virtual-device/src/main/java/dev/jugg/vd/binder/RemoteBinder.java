package dev.jugg.vd.binder;

import android.os.DeadObjectException;
import android.os.IBinder;
import android.os.IInterface;
import android.os.Parcel;
import android.os.RemoteException;
import android.os.ResultReceiver;
import android.os.ShellCallback;
import dev.jugg.vd.Device;
import java.io.FileDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/** Stands for a binder of another process, as a BinderProxy on a device. */
final class RemoteBinder implements IBinder {
  /** How often this process was given the binder; outlives the stand-in. */
  static final class Holding {
    final int pid;
    final int node;
    int times;

    Holding(int pid, int node) {
      this.pid = pid;
      this.node = node;
    }
  }

  private final Holding holding;
  private final List<DeathRecipient> recipients = new ArrayList<>();
  private boolean dead;

  RemoteBinder(Holding holding) {
    this.holding = holding;
  }

  Holding holding() {
    return holding;
  }

  int pid() {
    return holding.pid;
  }

  int node() {
    return holding.node;
  }

  @Override
  public boolean transact(int code, Parcel data, Parcel reply, int flags) throws RemoteException {
    if (!isBinderAlive()) {
      throw new DeadObjectException();
    }
    return BinderCalls.instance().call(this, code, data, reply, flags);
  }

  @Override
  public String getInterfaceDescriptor() throws RemoteException {
    Parcel data = Parcel.obtain();
    Parcel reply = Parcel.obtain();
    try {
      transact(INTERFACE_TRANSACTION, data, reply, 0);
      return reply.readString();
    } finally {
      data.recycle();
      reply.recycle();
    }
  }

  @Override
  public boolean pingBinder() {
    Parcel data = Parcel.obtain();
    Parcel reply = Parcel.obtain();
    try {
      return transact(PING_TRANSACTION, data, reply, 0);
    } catch (RemoteException e) {
      return false;
    } finally {
      data.recycle();
      reply.recycle();
    }
  }

  @Override
  public synchronized boolean isBinderAlive() {
    return !dead;
  }

  /** Its process has ended. Tells who wanted to know, on the calling thread. */
  void died() {
    List<DeathRecipient> told;
    synchronized (this) {
      dead = true;
      told = List.copyOf(recipients);
      recipients.clear();
    }
    for (DeathRecipient recipient : told) {
      try {
        recipient.binderDied(this);
      } catch (RuntimeException e) {
        // As the framework: the others are told all the same.
        Device.host().note(e);
      }
    }
  }

  @Override
  public synchronized void linkToDeath(DeathRecipient recipient, int flags) throws RemoteException {
    if (dead) {
      throw new DeadObjectException();
    }
    recipients.add(recipient);
  }

  @Override
  public synchronized boolean unlinkToDeath(DeathRecipient recipient, int flags) {
    if (!recipients.remove(recipient)) {
      if (dead) {
        return false;
      }
      throw new NoSuchElementException("Death link does not exist");
    }
    return true;
  }

  @Override
  public IInterface queryLocalInterface(String descriptor) {
    return null;
  }

  @Override
  public void dump(FileDescriptor fd, String[] arguments) throws RemoteException {
    throw noDescriptors();
  }

  @Override
  public void dumpAsync(FileDescriptor fd, String[] arguments) throws RemoteException {
    throw noDescriptors();
  }

  @Override
  public void shellCommand(
      FileDescriptor in,
      FileDescriptor out,
      FileDescriptor error,
      String[] arguments,
      ShellCallback shell,
      ResultReceiver result)
      throws RemoteException {
    throw noDescriptors();
  }

  private static RemoteException noDescriptors() {
    return new RemoteException("file descriptors do not cross processes on the virtual device");
  }
}
