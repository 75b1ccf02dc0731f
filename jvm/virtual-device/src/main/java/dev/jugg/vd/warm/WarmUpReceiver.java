package dev.jugg.vd.warm;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** A receiver that does nothing. */
public final class WarmUpReceiver extends BroadcastReceiver {
  @Override
  public void onReceive(Context context, Intent intent) {}
}
