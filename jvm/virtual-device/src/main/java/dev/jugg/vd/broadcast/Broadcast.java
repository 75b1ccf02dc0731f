package dev.jugg.vd.broadcast;

import android.content.IIntentReceiver;
import android.content.Intent;
import android.os.Bundle;

/**
 * One broadcast as the activity manager gets it.
 *
 * @param resultTo hears of the result at the end; null when nobody asks
 * @param permissions that a receiver must hold; may be empty
 * @param fromUid who sends it: of this app, of another, 2000 for the shell, 1000 for the system
 */
record Broadcast(
    Intent intent,
    String type,
    IIntentReceiver resultTo,
    int code,
    String data,
    Bundle extras,
    String[] permissions,
    boolean ordered,
    boolean sticky,
    int fromUid) {
  static final int SYSTEM_UID = 1000;

  /** Of the system or of the app itself: only these reach what is not exported. */
  boolean mayReachUnexported(int ownUid) {
    return fromUid == ownUid || fromUid == SYSTEM_UID || fromUid == 0;
  }
}
