package dev.jugg.host.dex;

import dev.jugg.host.HostException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Loads D8 from a jar into a class loader of its own: its version is the project's, not the host's. */
final class Dexers {
  private final Map<String, D8> loaded = new HashMap<>();
  private final Dexer dx = new Dx();

  /** Null stands for dx, which is on the host's own class path. */
  synchronized Dexer at(Path jar) throws IOException {
    if (jar == null) {
      return dx;
    }
    if (!Files.isRegularFile(jar)) {
      throw new HostException("ENVIRONMENT_ERROR", "There is no D8 at " + jar + ".");
    }
    String key = jar + "|" + Files.size(jar) + "|" + Files.getLastModifiedTime(jar);
    D8 d8 = loaded.get(key);
    if (d8 == null) {
      d8 = load(jar);
      loaded.put(key, d8);
    }
    return d8;
  }

  private static D8 load(Path jar) throws IOException {
    // The platform loader as parent: D8 carries its own Kotlin and ASM, the host's must not get in between.
    URL[] urls = {jar.toUri().toURL()};
    @SuppressWarnings("resource") // Classes are loaded from it as long as the host lives.
    URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    try {
      return new D8(loader);
    } catch (ReflectiveOperationException e) {
      throw new HostException("ENVIRONMENT_ERROR", jar + " holds no D8 that Jugg can use: " + e, e);
    }
  }
}
