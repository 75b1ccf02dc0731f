package dev.jugg.vd.permission;

import android.content.Context;
import android.text.Html;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Permissions that one dialog asks for together, by AOSP's groups ({@code PermissionMapping}).
 *
 * @param name of the group in the names of the framework's texts ({@code permgroupdesc_<name>})
 */
record PermissionGroup(String name, List<String> permissions) {
  private static final String PREFIX = "android.permission.";

  /** Groups by the permissions in them; what is in none is asked for alone. */
  private static final Map<String, List<String>> MEMBERS = Map.ofEntries(
      Map.entry("camera", List.of("CAMERA")),
      Map.entry("microphone", List.of("RECORD_AUDIO")),
      Map.entry("location", List.of("ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "ACCESS_BACKGROUND_LOCATION")),
      Map.entry("contacts", List.of("READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS")),
      Map.entry("calendar", List.of("READ_CALENDAR", "WRITE_CALENDAR")),
      Map.entry("sms", List.of("SEND_SMS", "RECEIVE_SMS", "READ_SMS", "RECEIVE_MMS", "RECEIVE_WAP_PUSH")),
      Map.entry("storage", List.of("READ_EXTERNAL_STORAGE", "WRITE_EXTERNAL_STORAGE")),
      Map.entry("readMediaAural", List.of("READ_MEDIA_AUDIO")),
      Map.entry("readMediaVisual", List.of(
          "READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO", "READ_MEDIA_VISUAL_USER_SELECTED", "ACCESS_MEDIA_LOCATION")),
      Map.entry("phone", List.of(
          "READ_PHONE_STATE", "READ_PHONE_NUMBERS", "CALL_PHONE", "USE_SIP", "ANSWER_PHONE_CALLS", "ACCEPT_HANDOVER")),
      Map.entry("calllog", List.of("READ_CALL_LOG", "WRITE_CALL_LOG", "PROCESS_OUTGOING_CALLS")),
      Map.entry("sensors", List.of("BODY_SENSORS", "BODY_SENSORS_BACKGROUND")),
      Map.entry("activityRecognition", List.of("ACTIVITY_RECOGNITION")),
      Map.entry("nearby_devices", List.of(
          "BLUETOOTH_SCAN", "BLUETOOTH_CONNECT", "BLUETOOTH_ADVERTISE", "UWB_RANGING", "NEARBY_WIFI_DEVICES")),
      Map.entry("notifications", List.of("POST_NOTIFICATIONS")));

  /** Those that are granted while the app is in use, or once. */
  private static final List<String> FOREGROUND = List.of("camera", "microphone", "location", "sensors");

  /** The groups of these permissions, in their order. */
  static List<PermissionGroup> of(List<String> permissions) {
    List<PermissionGroup> groups = new ArrayList<>();
    for (String permission : permissions) {
      String group = groupOf(permission);
      PermissionGroup known = groups.stream().filter(each -> each.name.equals(group)).findFirst().orElse(null);
      if (known == null) {
        known = new PermissionGroup(group, new ArrayList<>());
        groups.add(known);
      }
      known.permissions.add(permission);
    }
    return groups;
  }

  private static String groupOf(String permission) {
    String name = permission.startsWith(PREFIX) ? permission.substring(PREFIX.length()) : "";
    for (Map.Entry<String, List<String>> entry : MEMBERS.entrySet()) {
      if (entry.getValue().contains(name)) {
        return entry.getKey();
      }
    }
    return permission;
  }

  boolean isForegroundOnly() {
    return FOREGROUND.contains(name);
  }

  /** As AOSP words it, with the framework's description of the group. */
  CharSequence question(Context context) {
    CharSequence app = context.getApplicationInfo().loadLabel(context.getPackageManager());
    int id = context.getResources().getIdentifier("permgroupdesc_" + name, "string", "android");
    String what = id == 0 ? "use " + name : context.getString(id);
    return Html.fromHtml(
        "Allow <b>" + Html.escapeHtml(app) + "</b> to " + Html.escapeHtml(what) + "?", Html.FROM_HTML_MODE_LEGACY);
  }
}
