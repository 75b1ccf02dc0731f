package dev.jugg.vd.broadcast;

import android.content.Intent;
import android.os.BatteryManager;

/** The sticky broadcast that tells of the battery: full and at its cable, as {@code dumpsys battery} says of a new device. */
final class Battery {
  private Battery() {}

  static Intent changed() {
    return new Intent(Intent.ACTION_BATTERY_CHANGED)
        .addFlags(Intent.FLAG_RECEIVER_REGISTERED_ONLY | Intent.FLAG_RECEIVER_REPLACE_PENDING)
        .putExtra(BatteryManager.EXTRA_STATUS, BatteryManager.BATTERY_STATUS_FULL)
        .putExtra(BatteryManager.EXTRA_HEALTH, BatteryManager.BATTERY_HEALTH_GOOD)
        .putExtra(BatteryManager.EXTRA_PRESENT, true)
        .putExtra(BatteryManager.EXTRA_LEVEL, 100)
        .putExtra(BatteryManager.EXTRA_SCALE, 100)
        .putExtra(BatteryManager.EXTRA_PLUGGED, BatteryManager.BATTERY_PLUGGED_USB)
        .putExtra(BatteryManager.EXTRA_VOLTAGE, 5000)
        .putExtra(BatteryManager.EXTRA_TEMPERATURE, 250)
        .putExtra(BatteryManager.EXTRA_TECHNOLOGY, "Li-ion");
  }
}
