package dev.jugg.vd.host;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The unpacked native parts of the framework: library, ICU data and hyphenation (framework jar), fonts (native jar). */
public record NativeFiles(Path dir, String library) {
  private static final String PLATFORM = "native/" + operatingSystem() + "/" + architecture() + "/";

  /** Unpacks on first use; several processes may do so at the same time, one of them wins. */
  public static NativeFiles unpacked(Path dir, Path frameworkJar, Path nativeJar, String libraryName)
      throws IOException {
    if (!Files.exists(dir)) {
      Path part = dir.resolveSibling(dir.getFileName() + "." + ProcessHandle.current().pid() + ".part");
      unpack(frameworkJar, part, name ->
          name.startsWith("icu/icudt") || name.startsWith("hyphen-data/") || name.startsWith(PLATFORM));
      unpack(nativeJar, part, name -> name.startsWith("fonts/"));
      publish(part, dir);
    }
    Path library = dir.resolve(PLATFORM + libraryName);
    if (!Files.exists(library)) {
      throw new IOException("Robolectric has no native framework for this system (" + PLATFORM + libraryName + ")");
    }
    return new NativeFiles(dir, library.toString());
  }

  /** With the separator at the end that Android's font list parser expects. */
  public String fontDir() {
    return dir.resolve("fonts") + File.separator;
  }

  public String hyphenDir() {
    return dir.resolve("hyphen-data").toString();
  }

  public String icuData() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(dir.resolve("icu"))) {
      return files.iterator().next().toString();
    }
  }

  private static void unpack(Path jar, Path target, Predicate<String> wanted) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
        ZipEntry entry = entries.nextElement();
        if (entry.isDirectory() || !wanted.test(entry.getName())) {
          continue;
        }
        Path file = target.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        try (InputStream in = zip.getInputStream(entry)) {
          Files.copy(in, file);
        }
      }
    }
  }

  private static void publish(Path part, Path dir) throws IOException {
    try {
      Files.move(part, dir, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.exists(dir)) {
        throw e;
      }
    }
  }

  private static String operatingSystem() {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    if (name.contains("win")) {
      return "windows";
    }
    return name.contains("mac") ? "mac" : "linux";
  }

  private static String architecture() {
    String name = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return name.equals("amd64") ? "x86_64" : name;
  }
}
