package dev.jugg.vd;

import android.os.Environment;
import dev.jugg.vd.config.ScreenConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.robolectric.shadows.ShadowEnvironment;
import org.robolectric.shadows.ShadowStatFs;

/** The state of the device around the app: mounted storage, alarms. Set before any code of the app runs. */
public final class DeviceServices {
  private DeviceServices() {}

  public static void prepare(BoundApp app) {
    ScreenConfiguration.current().applyExactSizeEarly();
    // Alarms come when their time has come, as long as the process lives.
    try {
      storage(app);
      space(app.dataDir());
      space(app.externalDir());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code StatFs} tells of the disk of the host, in blocks as it has them. */
  private static void space(Path folder) throws IOException {
    FileStore store = Files.getFileStore(folder);
    int total = (int) Math.min(Integer.MAX_VALUE, store.getTotalSpace() / ShadowStatFs.BLOCK_SIZE);
    int usable = (int) Math.min(Integer.MAX_VALUE, store.getUsableSpace() / ShadowStatFs.BLOCK_SIZE);
    ShadowStatFs.registerStats(folder.toFile(), total, usable, usable);
  }

  /** External storage as on a device: mounted, emulated, with the usual folders. */
  private static void storage(BoundApp app) throws IOException {
    Path root = app.externalDir();
    ShadowEnvironment.setExternalStorageDirectory(root);
    ShadowEnvironment.setExternalStoragePublicDirectory(root);
    ShadowEnvironment.setExternalStorageState(Environment.MEDIA_MOUNTED);
    ShadowEnvironment.setExternalStorageState(root.toFile(), Environment.MEDIA_MOUNTED);
    ShadowEnvironment.setIsExternalStorageEmulated(true);
    for (String name : List.of(
        Environment.DIRECTORY_DOWNLOADS,
        Environment.DIRECTORY_PICTURES,
        Environment.DIRECTORY_DCIM,
        Environment.DIRECTORY_MUSIC,
        Environment.DIRECTORY_MOVIES,
        Environment.DIRECTORY_DOCUMENTS,
        "Android/data/" + app.packageName() + "/files",
        "Android/data/" + app.packageName() + "/cache")) {
      Files.createDirectories(root.resolve(name));
    }
  }
}
