package org.bouncycastle.jce.provider;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.Provider;

/**
 * Stands before the real provider of this name, which Robolectric registers at its start: loading that one means checking
 * the signatures of a large jar, and few apps need it. It is loaded when somebody asks for an algorithm that the other
 * providers do not have.
 */
public final class BouncyCastleProvider extends Provider {
  private static final long serialVersionUID = 1;
  public static final String PROVIDER_NAME = "BC";

  private transient Provider real;

  public BouncyCastleProvider() {
    super(PROVIDER_NAME, "1.85", "BouncyCastle, loaded on demand");
  }

  @Override
  public Service getService(String type, String algorithm) {
    return real().getService(type, algorithm);
  }

  private synchronized Provider real() {
    if (real == null) {
      try {
        // Stays open: the provider loads its classes when they are used.
        @SuppressWarnings("resource")
        URLClassLoader loader = new URLClassLoader(new URL[] {jar()}, ClassLoader.getPlatformClassLoader());
        real = (Provider) loader.loadClass(BouncyCastleProvider.class.getName()).getDeclaredConstructor().newInstance();
      } catch (ReflectiveOperationException | IOException e) {
        throw new IllegalStateException("BouncyCastle cannot be loaded", e);
      }
    }
    return real;
  }

  private static URL jar() throws IOException {
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (Path.of(entry).getFileName().toString().startsWith("bcprov-")) {
        return Path.of(entry).toUri().toURL();
      }
    }
    throw new IOException("no bcprov jar on the class path");
  }
}
