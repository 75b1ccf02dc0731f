package dev.jugg.vd.pm;

import android.content.pm.PackageParser;
import dev.jugg.vd.BoundApp;
import java.io.File;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageParser;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Keeps the last parsed package, as it is in the APK: Robolectric overwrites parts of it with defaults of its own. */
@Implements(className = "android.content.pm.PackageParser", isInAndroidSdk = false)
public class PackageParserShadow extends ShadowPackageParser {
  private static PackageParser.Package last;
  private static int targetSdk;
  private static String componentFactory;

  @RealObject private PackageParser real;

  @Implementation
  protected PackageParser.Package parsePackage(File file, int flags) {
    PackageParser.Package parsed = Shadow.directlyOn(
        real,
        PackageParser.class,
        "parsePackage",
        ClassParameter.from(File.class, file),
        ClassParameter.from(int.class, flags));
    BoundApp app = BoundApp.current();
    boolean isApp = app == null || app.packageName().equals(parsed.packageName);
    if (!isApp && app.testRun() != null && app.testRun().packageName().equals(parsed.packageName)) {
      return parsed;
    }
    if (!isApp) {
      throw new IllegalArgumentException("it is that of " + parsed.packageName);
    }
    last = parsed;
    targetSdk = parsed.applicationInfo.targetSdkVersion;
    componentFactory = parsed.applicationInfo.appComponentFactory;
    return parsed;
  }

  public static PackageParser.Package last() {
    return last;
  }

  static int targetSdk() {
    return targetSdk;
  }

  static String componentFactory() {
    return componentFactory;
  }
}
