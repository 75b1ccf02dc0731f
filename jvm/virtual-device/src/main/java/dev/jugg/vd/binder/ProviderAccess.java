package dev.jugg.vd.binder;

import android.content.Context;
import android.content.pm.PackageManager;
import android.content.pm.PathPermission;
import android.net.Uri;
import android.os.PatternMatcher;
import android.os.Process;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.BoundApp;

/**
 * Whether this app may use what a content provider of another process has, in the order and the words of AOSP's
 * ContentProvider (enforceReadPermissionInner and its like) and ActivityManagerService.
 */
final class ProviderAccess {
  enum Kind {
    READ("readPermission", "read", "reading "),
    WRITE("writePermission", "write", "writing ");

    final String permission;
    final String grant;
    final String verb;

    Kind(String permission, String grant, String verb) {
      this.permission = permission;
      this.grant = grant;
      this.verb = verb;
    }
  }

  private final Context context;
  /** What the daemon says of the provider, see docs/app-process-protocol.md. */
  private final JsonObject found;

  ProviderAccess(Context context, JsonObject found) {
    this.context = context;
    this.found = found;
  }

  /** Throws when the provider may not be used at all; {@code kind} null: for what asks for no permission. */
  void enforce(Kind kind, Uri uri) {
    String denied = Components.text(found, "denied");
    if (denied != null && !isGranted("any")) {
      throw new SecurityException("Permission Denial: opening provider " + name() + " from "
          + BoundApp.current().processName() + " (" + who() + ") " + denied);
    }
    if (kind == null || uri == null) {
      enforceWhole(kind);
      return;
    }
    String missing = denied == null ? missing(kind, uri) : withoutVerb(denied);
    if (missing != null && !isGranted(kind.grant)) {
      throw new SecurityException("Permission Denial: " + kind.verb + className() + " uri " + uri + " from " + who()
          + " requires " + missing + ", or grantUriPermission()");
    }
  }

  /** What a provider that may not be opened would have to be, or what permission it needs. */
  private static String withoutVerb(String denied) {
    return denied.startsWith("requires ") ? denied.substring("requires ".length()) : "the provider be exported";
  }

  /** For calls that name no single URI. */
  private void enforceWhole(Kind kind) {
    String needed = kind == null ? null : Components.text(found, kind.permission);
    if (needed != null && !has(needed)) {
      throw new SecurityException("Permission Denial: " + kind.verb + className() + " from " + who() + " requires " + needed);
    }
  }

  /** Null when nothing is. */
  private String missing(Kind kind, Uri uri) {
    String whole = Components.text(found, kind.permission);
    if (whole != null && has(whole)) {
      return null;
    }
    String missing = whole;
    if (found.has("pathPermissions")) {
      for (JsonElement each : found.getAsJsonArray("pathPermissions")) {
        JsonObject path = each.getAsJsonObject();
        String needed = Components.text(path, kind.permission);
        if (needed != null && matches(path, uri)) {
          if (has(needed)) {
            return null;
          }
          missing = needed;
        }
      }
    }
    return missing;
  }

  private static boolean matches(JsonObject path, Uri uri) {
    int kind = switch (path.get("kind").getAsString()) {
      case "prefix" -> PatternMatcher.PATTERN_PREFIX;
      case "pattern" -> PatternMatcher.PATTERN_SIMPLE_GLOB;
      case "advancedPattern" -> PatternMatcher.PATTERN_ADVANCED_GLOB;
      case "suffix" -> PatternMatcher.PATTERN_SUFFIX;
      default -> PatternMatcher.PATTERN_LITERAL;
    };
    return new PathPermission(path.get("path").getAsString(), kind, null, null).match(uri.getPath());
  }

  private boolean isGranted(String what) {
    return found.has("grants") && found.getAsJsonObject("grants").get(what).getAsBoolean();
  }

  private boolean has(String permission) {
    return context.checkPermission(permission, Process.myPid(), Process.myUid()) == PackageManager.PERMISSION_GRANTED;
  }

  private String name() {
    return Components.text(found, "component");
  }

  private String className() {
    return name().substring(name().indexOf('/') + 1);
  }

  private static String who() {
    return "pid=" + Process.myPid() + ", uid=" + Process.myUid();
  }
}
