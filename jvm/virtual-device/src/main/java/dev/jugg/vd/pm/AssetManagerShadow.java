package dev.jugg.vd.pm;

import android.content.res.ApkAssets;
import android.content.res.AssetManager;
import java.io.File;
import java.io.IOException;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.zip.ZipFile;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowArscAssetManager14;

/** Lists a folder as a device does: Robolectric names what is below a folder instead of the folder. */
@Implements(className = "android.content.res.AssetManager", isInAndroidSdk = false)
public class AssetManagerShadow extends ShadowArscAssetManager14 {
  @RealObject private AssetManager real;

  /**
   * The files and folders of all APKs in it, each once and sorted, as AOSP's AssetManager2::OpenDir; a folder that is
   * not there is an empty one.
   */
  @Implementation
  protected String[] list(String path) throws IOException {
    String folder = "assets/" + path;
    String prefix = folder.endsWith("/") ? folder : folder + "/";
    SortedSet<String> names = new TreeSet<>();
    for (ApkAssets apk : real.getApkAssets()) {
      String file = apk.getAssetPath();
      if (file != null && new File(file).isFile()) {
        addNames(file, prefix, names);
      }
    }
    return names.toArray(new String[0]);
  }

  private static void addNames(String apk, String prefix, SortedSet<String> names) throws IOException {
    try (ZipFile zip = new ZipFile(apk)) {
      zip.stream().forEach(entry -> {
        String name = entry.getName();
        if (name.startsWith(prefix) && name.length() > prefix.length()) {
          int end = name.indexOf('/', prefix.length());
          names.add(name.substring(prefix.length(), end < 0 ? name.length() : end));
        }
      });
    }
  }
}
