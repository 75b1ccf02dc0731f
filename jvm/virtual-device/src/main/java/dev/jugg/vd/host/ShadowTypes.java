package dev.jugg.vd.host;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Set;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Types that Robolectric's shadows name in their members and Android 15 does not have: they are of newer versions. Without
 * them the shadow, and with it the framework's class, cannot be used at all. Apps do not see them.
 */
final class ShadowTypes {
  /** All of shadows-framework 4.17 that the framework jar lacks; a test looks whether these are all. */
  private static final Set<String> MISSING = Set.of(
      "android/app/appfunctions/AppFunctionManager",
      "android/app/wallpaper/WallpaperDescription",
      "android/bluetooth/BluetoothDevice$BluetoothAddress",
      "android/net/wifi/BlockingOption",
      "android/os/flagging/AconfigPackage",
      "android/ranging/IRangingAdapter",
      "android/ranging/IRangingCallbacks",
      "android/ranging/IRangingCapabilitiesCallback",
      "android/ranging/RangingCapabilities",
      "android/ranging/RangingData",
      "android/ranging/RangingManager",
      "android/ranging/RangingPreference",
      "android/ranging/SessionHandle",
      "android/security/advancedprotection/AdvancedProtectionFeature",
      "android/security/advancedprotection/AdvancedProtectionManager$Callback",
      "com/android/internal/os/ApplicationSharedMemory");

  private static final String SUFFIX = ".class";

  private ShadowTypes() {}

  /** An empty class for one of them, by the name of its class file; null for all else. */
  static InputStream standIn(String file) {
    String name = file.endsWith(SUFFIX) ? file.substring(0, file.length() - SUFFIX.length()) : "";
    if (!MISSING.contains(name)) {
      return null;
    }
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name, null, "java/lang/Object", null);
    writer.visitEnd();
    return new ByteArrayInputStream(writer.toByteArray());
  }
}
