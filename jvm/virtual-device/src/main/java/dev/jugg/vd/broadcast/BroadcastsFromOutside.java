package dev.jugg.vd.broadcast;

import android.content.IIntentReceiver;
import android.content.Intent;
import android.os.Bundle;
import com.google.gson.JsonObject;
import java.util.function.Consumer;

/** Broadcasts of the shell, the system and other processes. */
public final class BroadcastsFromOutside {
  private BroadcastsFromOutside() {}

  /**
   * Hands it to the receivers of this process. {@code found} in the answer is false when the intent names one that is not
   * here. An ordered one is answered when all have had it, with {@code code} and {@code data}.
   */
  public static void send(Intent intent, int fromUid, boolean ordered, Consumer<JsonObject> answer) {
    JsonObject result = new JsonObject();
    IIntentReceiver end = new IIntentReceiver.Stub() {
      @Override
      public void performReceive(
          Intent received, int code, String data, Bundle extras, boolean isOrdered, boolean isSticky, int user) {
        result.addProperty("code", code);
        if (data != null) {
          result.addProperty("data", data);
        }
        // Whether it was found is known once all have been asked.
        new android.os.Handler(android.os.Looper.getMainLooper()).post(() -> answer.accept(result));
      }
    };
    result.addProperty("found", BroadcastQueue.instance().send(new Broadcast(
        intent, intent.getType(), ordered ? end : null, 0, null, null, new String[0], ordered, false, fromUid)));
    if (!ordered) {
      answer.accept(result);
    }
  }
}
