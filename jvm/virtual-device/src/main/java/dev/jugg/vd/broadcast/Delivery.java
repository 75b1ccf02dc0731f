package dev.jugg.vd.broadcast;

import android.content.Intent;
import android.os.Bundle;
import android.os.RemoteException;
import java.util.List;

/** A broadcast that goes from one receiver to the next; each may change its result. */
final class Delivery {
  private final Broadcast broadcast;
  private final List<Target> targets;
  private int next;
  private int code;
  private String data;
  private Bundle extras;
  /** Of the receiver that has it now; null between two. */
  private Object token;

  Delivery(Broadcast broadcast, List<Target> targets) {
    this.broadcast = broadcast;
    this.targets = targets;
    code = broadcast.code();
    data = broadcast.data();
    extras = broadcast.extras();
  }

  Broadcast broadcast() {
    return broadcast;
  }

  int code() {
    return code;
  }

  String data() {
    return data;
  }

  Bundle extras() {
    return extras == null ? null : new Bundle(extras);
  }

  /** Each receiver may change its own. */
  Intent copyOfIntent() {
    return new Intent(broadcast.intent());
  }

  /** Hands it to the next receiver; false when there was none, and who asked has heard of the result. */
  boolean proceed() {
    while (next < targets.size()) {
      Target target = targets.get(next++);
      try {
        token = target.deliver(this);
        return true;
      } catch (RemoteException e) {
        // Its process is gone.
        continue;
      }
    }
    if (broadcast.resultTo() != null) {
      try {
        broadcast.resultTo().performReceive(copyOfIntent(), code, data, extras(), false, broadcast.sticky(), 0);
      } catch (RemoteException e) {
        // Who asked is gone.
      }
    }
    return false;
  }

  /** How long a receiver may take, as AOSP's BROADCAST_FG_TIMEOUT and BROADCAST_BG_TIMEOUT. */
  long limitMs() {
    return (broadcast.intent().getFlags() & Intent.FLAG_RECEIVER_FOREGROUND) != 0 ? 10_000 : 60_000;
  }

  /** The receiver that has it now is not waited for any longer. */
  void skip() {
    token = null;
  }

  boolean isAt(Object receiverToken) {
    return token != null && token == receiverToken;
  }

  /** The receiver is done. Only of ordered broadcasts its result counts. */
  void finished(int newCode, String newData, Bundle newExtras, boolean abort) {
    token = null;
    if (broadcast.ordered()) {
      code = newCode;
      data = newData;
      extras = newExtras;
      if (abort) {
        next = targets.size();
      }
    }
  }
}
