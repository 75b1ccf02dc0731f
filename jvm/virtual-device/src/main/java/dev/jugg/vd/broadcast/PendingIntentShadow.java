package dev.jugg.vd.broadcast;

import android.app.PendingIntent;
import android.app.PendingIntent.CanceledException;
import android.content.Context;
import android.content.IIntentReceiver;
import android.content.Intent;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.RemoteException;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowPendingIntent;

/** Pending broadcasts go the way of all others; what may be made depends on the target, as on a device. */
@Implements(className = "android.app.PendingIntent", isInAndroidSdk = false)
public class PendingIntentShadow extends ShadowPendingIntent {
  @RealObject private PendingIntent real;

  @Implementation
  protected static PendingIntent getActivity(Context context, int requestCode, Intent intent, int flags) {
    PendingIntentRules.check(context, flags, intent);
    return ShadowPendingIntent.getActivity(context, requestCode, intent, flags);
  }

  @Implementation
  protected static PendingIntent getActivity(
      Context context, int requestCode, Intent intent, int flags, Bundle options) {
    PendingIntentRules.check(context, flags, intent);
    return ShadowPendingIntent.getActivity(context, requestCode, intent, flags, options);
  }

  @Implementation
  protected static PendingIntent getActivities(Context context, int requestCode, Intent[] intents, int flags) {
    PendingIntentRules.check(context, flags, intents);
    return ShadowPendingIntent.getActivities(context, requestCode, intents, flags);
  }

  @Implementation
  protected static PendingIntent getActivities(
      Context context, int requestCode, Intent[] intents, int flags, Bundle options) {
    PendingIntentRules.check(context, flags, intents);
    return ShadowPendingIntent.getActivities(context, requestCode, intents, flags, options);
  }

  @Implementation
  protected static PendingIntent getBroadcast(Context context, int requestCode, Intent intent, int flags) {
    PendingIntentRules.check(context, flags, intent);
    return ShadowPendingIntent.getBroadcast(context, requestCode, intent, flags);
  }

  @Implementation
  protected static PendingIntent getService(Context context, int requestCode, Intent intent, int flags) {
    PendingIntentRules.check(context, flags, intent);
    return ShadowPendingIntent.getService(context, requestCode, intent, flags);
  }

  @Implementation
  protected static PendingIntent getForegroundService(Context context, int requestCode, Intent intent, int flags) {
    PendingIntentRules.check(context, flags, intent);
    return ShadowPendingIntent.getForegroundService(context, requestCode, intent, flags);
  }

  @Override
  @Implementation
  protected void send() throws CanceledException {
    send(null, 0, null, null, null, null, null);
  }

  @Override
  @Implementation
  protected void send(int code) throws CanceledException {
    send(null, code, null, null, null, null, null);
  }

  @Override
  @Implementation
  protected void send(int code, PendingIntent.OnFinished finished, Handler handler) throws CanceledException {
    send(null, code, null, finished, handler, null, null);
  }

  @Override
  @Implementation
  protected void send(Context context, int code, Intent intent) throws CanceledException {
    send(context, code, intent, null, null, null, null);
  }

  @Override
  @Implementation
  protected void send(Context context, int code, Intent intent, PendingIntent.OnFinished finished, Handler handler)
      throws CanceledException {
    send(context, code, intent, finished, handler, null, null);
  }

  @Override
  @Implementation
  protected void send(
      Context context,
      int code,
      Intent intent,
      PendingIntent.OnFinished finished,
      Handler handler,
      String permission)
      throws CanceledException {
    send(context, code, intent, finished, handler, permission, null);
  }

  @Override
  @Implementation
  protected void send(
      Context context,
      int code,
      Intent intent,
      PendingIntent.OnFinished finished,
      Handler handler,
      String permission,
      Bundle options)
      throws CanceledException {
    Context from = context == null ? getSavedContext() : context;
    if (!isBroadcastIntent()) {
      super.send(from, code, intent, finished, handler, permission, options);
      return;
    }
    if (isCanceled()) {
      throw new CanceledException();
    }
    Intent sent = new Intent(getSavedIntent());
    if (intent != null && !isImmutable()) {
      sent.fillIn(intent, 0);
    }
    if ((getFlags() & PendingIntent.FLAG_ONE_SHOT) != 0) {
      cancel();
    }
    try {
      BroadcastCalls.MANAGER.broadcastIntentWithFeature(
          null,
          null,
          sent,
          sent.resolveTypeIfNeeded(from.getContentResolver()),
          finished == null ? null : new Finish(finished, handler),
          code,
          null,
          null,
          permission == null ? null : new String[] {permission},
          null,
          null,
          -1,
          null,
          finished != null,
          false,
          0);
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Finish extends IIntentReceiver.Stub {
    private final PendingIntent.OnFinished finished;
    private final Handler handler;

    Finish(PendingIntent.OnFinished finished, Handler handler) {
      this.finished = finished;
      this.handler = handler == null ? new Handler(Looper.getMainLooper()) : handler;
    }

    @Override
    public void performReceive(
        Intent intent, int code, String data, Bundle extras, boolean ordered, boolean sticky, int user) {
      handler.post(() -> finished.onSendFinished(real, intent, code, data, extras));
    }
  }
}
