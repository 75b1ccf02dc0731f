package dev.jugg.vd.am;

import android.content.ClipData;
import android.content.ContentResolver;
import android.content.Intent;
import android.net.Uri;
import android.os.Parcel;
import android.util.Log;
import com.google.gson.JsonArray;
import dev.jugg.vd.BoundApp;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;

/** All of an intent, for another process: the daemon does not look into it. */
final class IntentParcel {
  private static final int GRANTS = Intent.FLAG_GRANT_READ_URI_PERMISSION | Intent.FLAG_GRANT_WRITE_URI_PERMISSION;

  private IntentParcel() {}

  /** Null when it holds what cannot leave the process (binders); the daemon then passes on the plain parts. */
  static String write(Intent intent) {
    if (intent.getExtras() == null && intent.getClipData() == null && intent.getSelector() == null) {
      return null;
    }
    Parcel parcel = Parcel.obtain();
    try {
      intent.writeToParcel(parcel, 0);
      return Base64.getEncoder().encodeToString(parcel.marshall());
    } catch (RuntimeException e) {
      Log.w("JuggVirtualDevice", "Parts of " + intent + " do not leave the process: " + e);
      return null;
    } finally {
      parcel.recycle();
    }
  }

  static Intent read(String written) {
    byte[] bytes = Base64.getDecoder().decode(written);
    Parcel parcel = Parcel.obtain();
    try {
      parcel.unmarshall(bytes, 0, bytes.length);
      parcel.setDataPosition(0);
      Intent intent = Intent.CREATOR.createFromParcel(parcel);
      intent.setExtrasClassLoader(BoundApp.current().loader());
      return intent;
    } finally {
      parcel.recycle();
    }
  }

  /** The content URIs that its receiver shall be allowed to use: its data, and those of its clip. */
  static JsonArray grantedUris(Intent intent) {
    Set<String> uris = new LinkedHashSet<>();
    if ((intent.getFlags() & GRANTS) != 0) {
      add(intent.getData(), uris);
      ClipData clip = intent.getClipData();
      for (int i = 0; clip != null && i < clip.getItemCount(); i++) {
        add(clip.getItemAt(i).getUri(), uris);
      }
    }
    JsonArray json = new JsonArray();
    uris.forEach(json::add);
    return json;
  }

  private static void add(Uri uri, Set<String> uris) {
    if (uri != null && ContentResolver.SCHEME_CONTENT.equals(uri.getScheme())) {
      uris.add(uri.toString());
    }
  }
}
