package dev.jugg.platform;

import android.app.Service;
import android.content.Intent;
import android.os.IBinder;
import android.util.Log;

/** Says what it is started with, and how it wants to come back. */
public abstract class KeptService extends Service {
  static final Class<?>[] ALL = {Sticky.class, Again.class, Once.class};

  public static final class Sticky extends KeptService {
    public Sticky() {
      super(START_STICKY);
    }
  }

  /** Is done with its first start at once. */
  public static final class Again extends KeptService {
    public Again() {
      super(START_REDELIVER_INTENT);
    }
  }

  public static final class Once extends KeptService {
    public Once() {
      super(START_NOT_STICKY);
    }
  }

  private final int kept;

  KeptService(int kept) {
    this.kept = kept;
  }

  @Override
  public int onStartCommand(Intent intent, int flags, int startId) {
    String word = intent == null ? "no intent" : intent.getStringExtra("word");
    Log.i(PlatformActivity.TAG, "kept " + getClass().getSimpleName() + " " + word + " " + flags + " " + startId);
    if (kept == START_REDELIVER_INTENT && "one".equals(word)) {
      stopSelf(startId);
    }
    return kept;
  }

  @Override
  public IBinder onBind(Intent intent) {
    return null;
  }
}
