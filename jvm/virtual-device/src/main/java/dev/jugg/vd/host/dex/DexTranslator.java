package dev.jugg.vd.host.dex;

import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.reader.MultiDexFileReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Dex files to class files, by dex2jar, before {@link ClassFixer}. */
final class DexTranslator {
  private DexTranslator() {}

  /** Class file by internal name. {@code workDir} is for a short-lived file: dex2jar writes to disk only. */
  static Map<String, byte[]> translate(byte[] dex, Path workDir) throws IOException {
    Path jar = Files.createTempFile(workDir, "dex", ".jar");
    try {
      Files.delete(jar);
      Dex2jar.from(MultiDexFileReader.open(dex)).topoLogicalSort().skipDebug(false).to(jar);
      return read(jar);
    } finally {
      Files.deleteIfExists(jar);
    }
  }

  /** Class file by internal name. */
  static Map<String, byte[]> read(Path jar) throws IOException {
    Map<String, byte[]> classes = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(new BufferedInputStream(Files.newInputStream(jar)))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        String name = entry.getName();
        if (name.endsWith(".class")) {
          classes.put(name.substring(0, name.length() - ".class".length()), zip.readAllBytes());
        }
      }
    }
    return classes;
  }
}
