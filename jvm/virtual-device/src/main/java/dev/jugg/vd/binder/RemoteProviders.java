package dev.jugg.vd.binder;

import android.app.Application;
import android.content.ContentProvider;
import android.content.ContentResolver;
import android.content.Context;
import android.content.pm.ProviderInfo;
import android.net.Uri;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;
import dev.jugg.vd.Device;
import dev.jugg.vd.pm.ContentResolverShadow;
import dev.jugg.vd.pm.ManifestComponents;
import java.util.HashMap;
import java.util.Map;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowContentResolver;
import org.robolectric.util.ReflectionHelpers;

/** The content providers that are not in this process. */
public final class RemoteProviders {
  private RemoteProviders() {}

  /**
   * From now on an authority that nobody in this process has is looked for on the device. Robolectric keeps providers
   * in a map that it asks first in each of its ways to one, some of which cannot be replaced one by one.
   */
  public static void connect() {
    Map<String, ContentProvider> known = ReflectionHelpers.getStaticField(ShadowContentResolver.class, "providers");
    ReflectionHelpers.setField(known, "m", new Known());
  }

  private static final class Known extends HashMap<String, ContentProvider> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean containsKey(Object authority) {
      return super.containsKey(authority) || find((String) authority);
    }

    private boolean find(String authority) {
      Application app = RuntimeEnvironment.getApplication();
      if (authority == null || app == null || isHere(app, authority)) {
        return false;
      }
      if (!Components.provider(authority, false, null).get("found").getAsBoolean()) {
        return false;
      }
      RemoteProvider provider = new RemoteProvider(authority);
      ProviderInfo info = new ProviderInfo();
      info.authority = authority;
      // Who may is asked at each call.
      info.exported = true;
      info.applicationInfo = app.getApplicationInfo();
      provider.attachInfo(app, info);
      put(authority, provider);
      return true;
    }
  }

  /** Of this process, whether it is made yet or not. */
  private static boolean isHere(Application app, String authority) {
    return ManifestComponents.hasProvider(app, authority, BoundApp.current().processName());
  }

  /** A provider of this process says that something changed: others may want to know. */
  public static void tellOthers(Uri uri) {
    if (BoundApp.current() == null) {
      return;
    }
    JsonObject event = new JsonObject();
    JsonArray uris = new JsonArray();
    uris.add(uri.toString());
    event.add("uris", uris);
    Device.host().channel().event("contentChanged", event);
  }

  /** Said by another process. */
  static void changed(JsonObject params) {
    Context app = RuntimeEnvironment.getApplication();
    if (app == null) {
      return;
    }
    ContentResolver resolver = app.getContentResolver();
    ContentResolverShadow shadow = Shadow.extract(resolver);
    for (JsonElement uri : params.getAsJsonArray("uris")) {
      shadow.changedElsewhere(Uri.parse(uri.getAsString()));
    }
  }
}
