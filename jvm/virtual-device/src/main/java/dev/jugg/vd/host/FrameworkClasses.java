package dev.jugg.vd.host;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.robolectric.internal.bytecode.ResourceProvider;

/**
 * The bytes of the framework's classes, straight from its jar. The stock provider asks the JDK's own image for each name
 * first and opens a connection for each class: a tenth of the time until a process is up.
 */
final class FrameworkClasses implements ResourceProvider {
  private final ZipFile jar;
  private final ResourceProvider stock;

  FrameworkClasses(Path framework, ResourceProvider stock) throws IOException {
    this.jar = new ZipFile(framework.toFile());
    this.stock = stock;
  }

  @Override
  public URL getResource(String name) {
    return stock.getResource(name);
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    ZipEntry entry = jar.getEntry(name);
    if (entry == null) {
      return ShadowTypes.standIn(name);
    }
    try {
      return jar.getInputStream(entry);
    } catch (IOException e) {
      return stock.getResourceAsStream(name);
    }
  }

  @Override
  public void close() throws IOException {
    jar.close();
    stock.close();
  }
}
