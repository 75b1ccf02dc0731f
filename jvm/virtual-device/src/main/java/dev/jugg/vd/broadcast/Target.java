package dev.jugg.vd.broadcast;

import android.os.RemoteException;

/** Somebody who is to hear of a broadcast. */
interface Target {
  int priority();

  /** Hands it over, and answers the token that the receiver's {@code finishReceiver} names. */
  Object deliver(Delivery delivery) throws RemoteException;
}
