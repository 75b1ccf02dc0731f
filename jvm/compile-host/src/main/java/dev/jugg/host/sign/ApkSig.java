package dev.jugg.host.sign;

import dev.jugg.host.HostException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.List;

/**
 * Drives {@code com.android.apksig.ApkSigner} by reflection: the SDK's, a resolved one, or version 2.3.0 of the host's own
 * class path, which makes v1 signatures with internal classes of the JDK that changed after Java 17.
 */
final class ApkSig {
  private static final String API = "com.android.apksig.ApkSigner";

  /** From this API level on Android reads v2 signatures, and v1 is not looked at. */
  private static final int V2_SUFFICES = 24;

  private static final int LAST_JAVA_OF_BUILT_IN = 17;

  private final Class<?> signer;
  private final Class<?> signerBuilder;
  private final Class<?> config;
  private final Class<?> configBuilder;
  private final boolean builtIn;

  private ApkSig(ClassLoader loader, boolean builtIn) throws ReflectiveOperationException {
    signer = loader.loadClass(API);
    signerBuilder = loader.loadClass(API + "$Builder");
    config = loader.loadClass(API + "$SignerConfig");
    configBuilder = loader.loadClass(API + "$SignerConfig$Builder");
    this.builtIn = builtIn;
  }

  static ApkSig ofClassPath() {
    return load(ApkSig.class.getClassLoader(), true, "the class path");
  }

  static ApkSig of(Path jar) throws IOException {
    if (!Files.isRegularFile(jar)) {
      throw new HostException("ENVIRONMENT_ERROR", "There is no signer at " + jar + ".");
    }
    URL[] urls = {jar.toUri().toURL()};
    @SuppressWarnings("resource") // Classes are loaded from it as long as the host lives.
    URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    return load(loader, false, jar.toString());
  }

  private static ApkSig load(ClassLoader loader, boolean builtIn, String where) {
    try {
      return new ApkSig(loader, builtIn);
    } catch (ReflectiveOperationException e) {
      throw new HostException("ENVIRONMENT_ERROR", where + " holds no apksig that Jugg can use: " + e, e);
    }
  }

  void sign(SigningKey key, File input, File output, int minSdk) {
    boolean v1 = !builtIn || Runtime.version().feature() <= LAST_JAVA_OF_BUILT_IN;
    if (!v1 && minSdk < V2_SUFFICES) {
      throw new HostException(
          "ENVIRONMENT_ERROR",
          "An app for Android 6 and older needs a v1 signature, which Jugg's own signer cannot make on Java "
              + Runtime.version().feature()
              + ". Install an Android SDK, or use Java 17.");
    }
    try {
      // The name becomes that of the v1 files, META-INF/CERT.SF and CERT.RSA, as Android Studio has them.
      Object identity =
          configBuilder
              .getConstructor(String.class, PrivateKey.class, List.class)
              .newInstance("CERT", key.key(), key.chain());
      Object signerConfig = configBuilder.getMethod("build").invoke(identity);
      Object builder = signerBuilder.getConstructor(List.class).newInstance(List.of(config.cast(signerConfig)));
      set(builder, "setInputApk", File.class, input);
      set(builder, "setOutputApk", File.class, output);
      set(builder, "setMinSdkVersion", int.class, minSdk);
      set(builder, "setV1SigningEnabled", boolean.class, v1);
      set(builder, "setV2SigningEnabled", boolean.class, true);
      set(builder, "setOtherSignersSignaturesPreserved", boolean.class, false);
      set(builder, "setCreatedBy", String.class, "Jugg");
      Method sign = signer.getMethod("sign");
      sign.invoke(signerBuilder.getMethod("build").invoke(builder));
    } catch (InvocationTargetException e) {
      throw failure(input, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new HostException("ENVIRONMENT_ERROR", "This apksig lacks what Jugg calls: " + e, e);
    }
  }

  private void set(Object builder, String name, Class<?> type, Object value) throws ReflectiveOperationException {
    signerBuilder.getMethod(name, type).invoke(builder, value);
  }

  private static HostException failure(File input, Throwable cause) {
    String kind = cause.getClass().getSimpleName();
    if (kind.equals("ApkFormatException") || kind.equals("ZipFormatException")) {
      return new HostException("APK_NOT_FOUND", input + " is not an APK: " + cause.getMessage(), cause);
    }
    return new HostException("ENVIRONMENT_ERROR", "Cannot sign " + input + ": " + cause, cause);
  }
}
