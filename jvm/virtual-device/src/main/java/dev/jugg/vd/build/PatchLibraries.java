package dev.jugg.vd.build;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Run by the Maven build on the finished jar: adds mended copies of three library classes, made from the libraries' own
 * byte code, and one empty class. The module's jar comes first on the class path of an app process, so they win.
 *
 * <p>They go into the jar and not into the class folder, where the next compilation would see them.
 */
public final class PatchLibraries {
  /** The same for every build, so that equal input gives an equal jar. */
  private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

  private PatchLibraries() {}

  public static void main(String[] args) throws IOException {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    classes.put(LoadedArscPatch.CLASS_NAME, LoadedArscPatch.apply(read(LoadedArscPatch.CLASS_NAME)));
    classes.put(IrConverterPatch.CLASS_NAME, IrConverterPatch.apply(read(IrConverterPatch.CLASS_NAME)));
    classes.put(CallSitePatch.CLASS_NAME, CallSitePatch.apply(read(CallSitePatch.CLASS_NAME)));
    classes.put(HostApplication.CLASS_NAME, HostApplication.bytes());
    Path jar = Path.of(args[0]);
    if (!isPatched(jar, classes)) {
      patch(jar, classes);
    }
  }

  private static byte[] read(String internalName) throws IOException {
    try (InputStream in = PatchLibraries.class.getClassLoader().getResourceAsStream(internalName + ".class")) {
      if (in == null) {
        throw new IOException(internalName + " is not on the class path");
      }
      return in.readAllBytes();
    }
  }

  /** Class-data archives depend on the jar's time stamp: an up-to-date jar is left alone. */
  private static boolean isPatched(Path jar, Map<String, byte[]> classes) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
        ZipEntry present = zip.getEntry(entry.getKey() + ".class");
        if (present == null || !Arrays.equals(zip.getInputStream(present).readAllBytes(), entry.getValue())) {
          return false;
        }
      }
      return true;
    }
  }

  private static void patch(Path jar, Map<String, byte[]> classes) throws IOException {
    Path part = jar.resolveSibling(jar.getFileName() + ".part");
    try (ZipFile from = new ZipFile(jar.toFile());
        ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(part))) {
      for (ZipEntry entry : Collections.list(from.entries())) {
        String name = entry.getName();
        if (!name.endsWith(".class") || !classes.containsKey(name.substring(0, name.length() - 6))) {
          add(to, name, from.getInputStream(entry).readAllBytes());
        }
      }
      for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
        add(to, entry.getKey() + ".class", entry.getValue());
      }
    }
    Files.move(part, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void add(ZipOutputStream to, String name, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(TIME);
    to.putNextEntry(entry);
    to.write(content);
    to.closeEntry();
  }
}
