package dev.jugg.vd.pm;

import android.app.Application;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.Signature;
import android.content.pm.SigningDetails;
import android.content.pm.SigningDetails.SignatureSchemeVersion;
import android.content.pm.SigningInfo;
import android.content.pm.parsing.result.ParseResult;
import android.content.pm.parsing.result.ParseTypeImpl;
import android.util.Log;
import android.util.apk.ApkSignatureVerifier;
import dev.jugg.vd.BoundApp;
import java.io.IOException;
import java.io.InputStream;
import java.security.CodeSigner;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;

/** What the package manager knows of the device and of the app besides its manifest. */
public final class PackageFacts {
  /** Of a phone without telephony and NFC, as this device has none (AOSP {@code handheld_core_hardware.xml} and its kin). */
  private static final List<String> FEATURES = List.of(
      PackageManager.FEATURE_ACTIVITIES_ON_SECONDARY_DISPLAYS,
      PackageManager.FEATURE_APP_WIDGETS,
      PackageManager.FEATURE_AUDIO_OUTPUT,
      PackageManager.FEATURE_FAKETOUCH,
      PackageManager.FEATURE_HOME_SCREEN,
      PackageManager.FEATURE_INPUT_METHODS,
      PackageManager.FEATURE_PICTURE_IN_PICTURE,
      PackageManager.FEATURE_PRINTING,
      PackageManager.FEATURE_RAM_NORMAL,
      PackageManager.FEATURE_SCREEN_LANDSCAPE,
      PackageManager.FEATURE_SCREEN_PORTRAIT,
      PackageManager.FEATURE_SECURE_LOCK_SCREEN,
      PackageManager.FEATURE_TOUCHSCREEN,
      PackageManager.FEATURE_TOUCHSCREEN_MULTITOUCH,
      PackageManager.FEATURE_TOUCHSCREEN_MULTITOUCH_DISTINCT,
      PackageManager.FEATURE_TOUCHSCREEN_MULTITOUCH_JAZZHAND);
  private static final String MANIFEST = "AndroidManifest.xml";
  private static final int BUFFER = 8192;

  private PackageFacts() {}

  public static void complete(Application app, BoundApp bound) {
    ShadowPackageManager packages = Shadow.extract(app.getPackageManager());
    FEATURES.forEach(feature -> packages.setSystemFeature(feature, true));
    PackageInfo info = packages.getInternalMutablePackageInfo(bound.packageName());
    SigningDetails details = signingDetails(bound.apks().get(0).toString());
    if (details != null) {
      info.signatures = details.getSignatures();
      info.signingInfo = new SigningInfo(details);
    }
  }

  /** It was verified when it was installed. */
  private static SigningDetails signingDetails(String apk) {
    ParseResult<SigningDetails> found = ApkSignatureVerifier.unsafeGetCertsWithoutVerification(
        ParseTypeImpl.forDefaultParsing(), apk, SignatureSchemeVersion.SIGNING_BLOCK_V2);
    if (found.isSuccess()) {
      return found.getResult();
    }
    try {
      return signedAsJar(apk);
    } catch (IOException | CertificateException | SecurityException e) {
      Log.w("JuggVirtualDevice", "The certificates of " + apk + " cannot be read: " + e);
      return null;
    }
  }

  /** Scheme 1, the one of jars: the certificates are known once an entry has been read. */
  private static SigningDetails signedAsJar(String apk) throws IOException, CertificateException {
    try (JarFile jar = new JarFile(apk, true)) {
      JarEntry entry = jar.getJarEntry(MANIFEST);
      if (entry == null) {
        return null;
      }
      try (InputStream input = jar.getInputStream(entry)) {
        byte[] buffer = new byte[BUFFER];
        while (input.read(buffer) >= 0) {
          continue;
        }
      }
      CodeSigner[] signers = entry.getCodeSigners();
      if (signers == null) {
        return null;
      }
      Signature[] signatures = new Signature[signers.length];
      for (int i = 0; i < signers.length; i++) {
        signatures[i] = new Signature(signers[i].getSignerCertPath().getCertificates().get(0).getEncoded());
      }
      return new SigningDetails(signatures, SignatureSchemeVersion.JAR);
    }
  }
}
