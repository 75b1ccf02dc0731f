import com.android.apksig.ApkSigner;
import java.io.File;
import java.io.FileInputStream;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/** Signs an APK: {@code SignApk <in> <out> <keystore> <password> <schemes, e.g. 12>}. */
public final class SignApk {
  private static final String ALIAS = "test";

  public static void main(String[] args) throws Exception {
    char[] password = args[3].toCharArray();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (FileInputStream in = new FileInputStream(args[2])) {
      keys.load(in, password);
    }
    PrivateKey key = (PrivateKey) keys.getKey(ALIAS, password);
    X509Certificate certificate = (X509Certificate) keys.getCertificate(ALIAS);
    ApkSigner.SignerConfig signer =
        new ApkSigner.SignerConfig.Builder("TEST", key, List.of(certificate)).build();
    new ApkSigner.Builder(List.of(signer))
        .setInputApk(new File(args[0]))
        .setOutputApk(new File(args[1]))
        .setMinSdkVersion(21)
        .setV1SigningEnabled(args[4].contains("1"))
        .setV2SigningEnabled(args[4].contains("2"))
        .build()
        .sign();
  }
}
