package dev.jugg.host.sign;

import dev.jugg.host.HostException;
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

/** A private key with its certificates. */
record SigningKey(PrivateKey key, List<X509Certificate> chain) {
  /** Reads a keystore in the format that the JDK finds out by itself: PKCS#12 or JKS. */
  static SigningKey read(Path file, String alias, String password) {
    char[] secret = password.toCharArray();
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(in, secret);
      if (!(store.getKey(alias, secret) instanceof PrivateKey key)) {
        throw new HostException("ENVIRONMENT_ERROR", file + " has no private key named " + alias + ".");
      }
      List<X509Certificate> chain = new ArrayList<>();
      for (Certificate certificate : store.getCertificateChain(alias)) {
        chain.add((X509Certificate) certificate);
      }
      return new SigningKey(key, chain);
    } catch (IOException | GeneralSecurityException e) {
      throw new HostException("ENVIRONMENT_ERROR", "Cannot read the keystore " + file + ": " + e.getMessage(), e);
    }
  }
}
