package dev.jugg.vd.permission;

import android.app.Application;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.Device;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowApplication;
import org.robolectric.shadows.ShadowPackageManager;

/** What the user has said to the app's wishes; the daemon keeps it. */
public final class Permissions {
  /** After so many refusals the user is not asked again. */
  private static final int FINAL_REFUSAL = 2;

  private static final Map<String, Integer> REFUSALS = new ConcurrentHashMap<>();

  private Permissions() {}

  /** {@code refusals}: how often the user refused, by permission; from the daemon. */
  public static void restore(JsonObject refusals) {
    for (Map.Entry<String, JsonElement> each : refusals.entrySet()) {
      refused(each.getKey(), each.getValue().getAsInt());
    }
  }

  /** The daemon says what holds from now on: the user has changed it elsewhere. */
  public static void set(String permission, boolean granted) {
    ShadowApplication shadow = Shadow.extract(RuntimeEnvironment.getApplication());
    if (granted) {
      shadow.grantPermissions(permission);
      refused(permission, 0);
    } else {
      shadow.denyPermissions(permission);
    }
  }

  static boolean isGranted(String permission) {
    Application app = RuntimeEnvironment.getApplication();
    return app.checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED;
  }

  /** Whether a dialog may ask for it: the manifest has it, and the user has not refused for good. */
  static boolean canBeAsked(String permission) {
    return !isGranted(permission) && requested().contains(permission) && refusals(permission) < FINAL_REFUSAL;
  }

  static boolean wasRefused(String permission) {
    return refusals(permission) > 0;
  }

  /** Of the user in the dialog; {@code once}: only for this process. */
  static void grant(String permission, boolean once) {
    set(permission, true);
    if (!once) {
      tell(permission, true);
    }
  }

  static void refuse(String permission) {
    refused(permission, refusals(permission) + 1);
    tell(permission, false);
  }

  private static int refusals(String permission) {
    return REFUSALS.getOrDefault(permission, 0);
  }

  /** From now on the user has refused it so often. */
  public static void refused(String permission, int times) {
    REFUSALS.put(permission, times);
    ShadowPackageManager packages = Shadow.extract(RuntimeEnvironment.getApplication().getPackageManager());
    packages.setShouldShowRequestPermissionRationale(permission, times > 0 && times < FINAL_REFUSAL);
  }

  private static void tell(String permission, boolean granted) {
    JsonObject params = new JsonObject();
    params.addProperty("permission", permission);
    params.addProperty("granted", granted);
    Device.host().channel().event("permission", params);
  }

  private static List<String> requested() {
    Application app = RuntimeEnvironment.getApplication();
    try {
      PackageInfo info = app.getPackageManager().getPackageInfo(app.getPackageName(), PackageManager.GET_PERMISSIONS);
      return info.requestedPermissions == null ? List.of() : Arrays.asList(info.requestedPermissions);
    } catch (PackageManager.NameNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
