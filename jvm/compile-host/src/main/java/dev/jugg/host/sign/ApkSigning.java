package dev.jugg.host.sign;

import com.android.apksig.ApkSigner;
import com.android.apksig.apk.ApkFormatException;
import dev.jugg.host.FileTrees;
import dev.jugg.host.HostException;
import dev.jugg.host.Params;
import dev.jugg.host.wire.Call;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Signs an aligned APK with schemes v1 and v2. */
public final class ApkSigning {
  /** @param alias name of the key in the keystore; {@code password} is that of the store and of the key */
  public record Request(
      String input, String output, int minSdk, String keystore, String alias, String password) {}

  /** The certificate's digest tells the client which key an APK carries. */
  public record Reply(String output) {}

  private ApkSigning() {}

  public static Reply sign(Request request, Call call) throws IOException {
    Path input = Params.path("input", request.input());
    Path output = Params.path("output", request.output());
    ApkSigner.SignerConfig signer = signer(request);
    Files.createDirectories(output.getParent());
    Path part = Files.createTempFile(output.getParent(), ".signing", ".apk");
    try {
      signer(request, signer, input.toFile(), part.toFile()).sign();
      call.commit();
      FileTrees.moveInPlace(part, output);
    } catch (ApkFormatException e) {
      throw new HostException("DEPLOY_FAILED", input + " is not an APK: " + e.getMessage(), e);
    } catch (GeneralSecurityException e) {
      throw new HostException("ENVIRONMENT_ERROR", "Cannot sign with " + request.keystore() + ": " + e, e);
    } finally {
      Files.deleteIfExists(part);
    }
    return new Reply(output.toString());
  }

  private static ApkSigner signer(Request request, ApkSigner.SignerConfig signer, File input, File output) {
    return new ApkSigner.Builder(List.of(signer))
        .setInputApk(input)
        .setOutputApk(output)
        .setMinSdkVersion(request.minSdk())
        .setV1SigningEnabled(true)
        .setV2SigningEnabled(true)
        .setOtherSignersSignaturesPreserved(false)
        .setCreatedBy("Jugg")
        .build();
  }

  private static ApkSigner.SignerConfig signer(Request request) {
    Path file = Params.path("keystore", request.keystore());
    char[] password = request.password().toCharArray();
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password);
      if (!(store.getKey(request.alias(), password) instanceof PrivateKey key)) {
        throw new HostException("ENVIRONMENT_ERROR", file + " has no private key " + request.alias() + ".");
      }
      List<X509Certificate> chain = new ArrayList<>();
      for (Certificate certificate : store.getCertificateChain(request.alias())) {
        chain.add((X509Certificate) certificate);
      }
      // The name becomes that of the v1 files: META-INF/CERT.SF and CERT.RSA, as Android Studio has them.
      return new ApkSigner.SignerConfig.Builder("CERT", key, chain).build();
    } catch (IOException | GeneralSecurityException e) {
      throw new HostException("ENVIRONMENT_ERROR", "Cannot read the keystore " + file + ": " + e.getMessage(), e);
    }
  }
}
