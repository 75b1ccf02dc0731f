package dev.jugg.vd.pm;

import java.nio.file.Path;
import org.robolectric.manifest.AndroidManifest;

/** Tells Robolectric to take the app from an APK, with the target SDK and the component factory that the APK names. */
public final class ApkManifest extends AndroidManifest {
  public ApkManifest(Path apk) {
    super(null, null, null, null, "", apk);
  }

  /** Asked after the APK has been parsed. */
  @Override
  public int getTargetSdkVersion() {
    return PackageParserShadow.targetSdk();
  }

  /** Asked after the APK has been parsed. */
  @Override
  public String getAppComponentFactory() {
    return PackageParserShadow.componentFactory();
  }
}
