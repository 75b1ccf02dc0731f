package dev.jugg.vd.am;

import android.content.Intent;
import android.content.UriPermission;
import android.content.pm.PackageManager;
import android.net.Uri;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.binder.Components;
import java.util.ArrayList;
import java.util.List;

/** Grants of single URIs; the daemon keeps them, as UriGrantsManagerService does on a device. */
public final class UriGrants {
  private UriGrants() {}

  /** {@code Context.grantUriPermission}. */
  static void grant(String packageName, Uri uri, int flags) {
    JsonObject question = question(uri, flags);
    question.addProperty("packageName", packageName);
    ask("grant", question);
  }

  /** {@code Context.revokeUriPermission}; {@code packageName} null: from all. */
  static void revoke(String packageName, Uri uri, int flags) {
    JsonObject question = question(uri, flags);
    if (packageName != null) {
      question.addProperty("packageName", packageName);
    }
    ask("revoke", question);
  }

  /** A constant of PackageManager. */
  static int check(Uri uri, int uid, int flags) {
    JsonObject question = question(uri, flags);
    question.addProperty("uid", uid);
    return ask("check", question).get("allowed").getAsBoolean()
        ? PackageManager.PERMISSION_GRANTED
        : PackageManager.PERMISSION_DENIED;
  }

  /** Throws when what an intent would grant is not this app's to give. */
  static void enforceMayGrant(Intent intent) {
    JsonArray uris = IntentParcel.grantedUris(intent);
    if (!uris.isEmpty()) {
      JsonObject question = new JsonObject();
      question.add("uris", uris);
      question.addProperty("flags", intent.getFlags());
      String target = intent.getComponent() == null ? intent.getPackage() : intent.getComponent().getPackageName();
      if (target != null) {
        question.addProperty("packageName", target);
      }
      ask("mayGrant", question);
    }
  }

  public static void take(Uri uri, int flags) {
    ask("take", question(uri, flags));
  }

  public static void release(Uri uri, int flags) {
    ask("release", question(uri, flags));
  }

  /** Those that this app has taken for good, or those that it has given so. */
  public static List<UriPermission> persisted(boolean outgoing) {
    JsonObject answer = ask(outgoing ? "outgoing" : "persisted", new JsonObject());
    List<UriPermission> permissions = new ArrayList<>();
    for (JsonElement each : answer.getAsJsonArray("permissions")) {
      JsonObject permission = each.getAsJsonObject();
      permissions.add(new UriPermission(
          Uri.parse(permission.get("uri").getAsString()),
          permission.get("flags").getAsInt(),
          permission.get("timeMs").getAsLong()));
    }
    return permissions;
  }

  private static JsonObject question(Uri uri, int flags) {
    JsonObject question = new JsonObject();
    JsonArray uris = new JsonArray();
    uris.add(uri.toString());
    question.add("uris", uris);
    question.addProperty("flags", flags);
    return question;
  }

  private static JsonObject ask(String ask, JsonObject question) {
    JsonObject answer = Components.uriPermission(ask, question);
    String trouble = Components.text(answer, "trouble");
    if (trouble != null) {
      throw new SecurityException(trouble);
    }
    return answer;
  }
}
