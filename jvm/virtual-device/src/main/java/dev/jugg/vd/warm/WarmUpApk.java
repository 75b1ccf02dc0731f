package dev.jugg.vd.warm;

import dev.jugg.vd.warm.BinaryXml.Attribute;
import dev.jugg.vd.warm.BinaryXml.Element;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** An APK with nothing but a manifest: what a spare process runs once so that the framework is loaded and warm. */
final class WarmUpApk {
  private WarmUpApk() {}

  static void write(Path file) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("AndroidManifest.xml"));
      zip.write(BinaryXml.write(manifest()));
      zip.closeEntry();
    }
  }

  private static Element manifest() {
    Element filter = new Element("intent-filter", List.of(), List.of(
        new Element("action", List.of(name("android.intent.action.MAIN")), List.of()),
        new Element("category", List.of(name("android.intent.category.LAUNCHER")), List.of())));
    Element activity = new Element(
        "activity",
        List.of(
            name(WarmUpActivity.class.getName()), Attribute.flag("exported", android.R.attr.exported, true)),
        List.of(filter));
    Element receiver = new Element(
        "receiver",
        List.of(name(WarmUpReceiver.class.getName()), Attribute.flag("exported", android.R.attr.exported, false)),
        List.of(new Element(
            "intent-filter",
            List.of(),
            List.of(new Element("action", List.of(name("dev.jugg.vd.warm.PING")), List.of())))));
    Element provider = new Element(
        "provider",
        List.of(
            name(WarmUpProvider.class.getName()),
            Attribute.text("authorities", android.R.attr.authorities, "dev.jugg.vd.warm"),
            Attribute.flag("exported", android.R.attr.exported, false)),
        List.of());
    Element application = new Element(
        "application",
        List.of(
            Attribute.reference(
                "theme", android.R.attr.theme, android.R.style.Theme_Material_Light_DarkActionBar),
            Attribute.text("label", android.R.attr.label, "warm-up")),
        List.of(activity, receiver, provider));
    Element permission =
        new Element("uses-permission", List.of(name("android.permission.INTERNET")), List.of());
    Element sdk = new Element(
        "uses-sdk",
        List.of(
            Attribute.number("minSdkVersion", android.R.attr.minSdkVersion, 24),
            Attribute.number("targetSdkVersion", android.R.attr.targetSdkVersion, 34)),
        List.of());
    return new Element(
        "manifest", List.of(Attribute.plain("package", "dev.jugg.vd.warm")), List.of(sdk, permission, application));
  }

  private static Attribute name(String value) {
    return Attribute.text("name", android.R.attr.name, value);
  }
}
