package dev.jugg.vd.pm;

import java.util.Set;

/** The framework's permissions that a user must grant (protection level "dangerous" in its manifest, API 35). */
final class DangerousPermissions {
  private static final Set<String> NAMES = Set.of(
      "READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS",
      "READ_CALENDAR", "WRITE_CALENDAR",
      "SEND_SMS", "RECEIVE_SMS", "READ_SMS", "RECEIVE_MMS", "RECEIVE_WAP_PUSH",
      "READ_EXTERNAL_STORAGE", "WRITE_EXTERNAL_STORAGE", "ACCESS_MEDIA_LOCATION",
      "READ_MEDIA_AUDIO", "READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO", "READ_MEDIA_VISUAL_USER_SELECTED",
      "ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "ACCESS_BACKGROUND_LOCATION",
      "READ_CALL_LOG", "WRITE_CALL_LOG", "PROCESS_OUTGOING_CALLS",
      "READ_PHONE_STATE", "READ_PHONE_NUMBERS", "CALL_PHONE", "USE_SIP", "ANSWER_PHONE_CALLS", "ACCEPT_HANDOVER",
      "RECORD_AUDIO", "CAMERA", "ACTIVITY_RECOGNITION", "BODY_SENSORS", "BODY_SENSORS_BACKGROUND",
      "BLUETOOTH_SCAN", "BLUETOOTH_CONNECT", "BLUETOOTH_ADVERTISE", "UWB_RANGING", "NEARBY_WIFI_DEVICES",
      "POST_NOTIFICATIONS");
  private static final String PREFIX = "android.permission.";

  private DangerousPermissions() {}

  static boolean contains(String permission) {
    return permission.startsWith(PREFIX) && NAMES.contains(permission.substring(PREFIX.length()));
  }
}
