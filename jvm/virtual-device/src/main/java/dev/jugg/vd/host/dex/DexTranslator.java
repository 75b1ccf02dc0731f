package dev.jugg.vd.host.dex;

import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.MultiDexFileReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Dex files to class files, by dex2jar, before {@link ClassFixer}. */
final class DexTranslator {
  /** Small enough that two processors share a library evenly, large enough that the parts' own cost does not show. */
  private static final int CLASSES_PER_PART = 400;

  private DexTranslator() {}

  /** Class files by internal name; methods that throw when they are called. */
  record Translated(Map<String, byte[]> classes, DexFacts facts, List<String> untranslated) {}

  /** {@code workDir} is for short-lived files: dex2jar writes to disk only. {@code workers} takes the parts. */
  static Translated translate(byte[] dex, Path workDir, ExecutorService workers) throws IOException {
    BaseDexFileReader reader = MultiDexFileReader.open(dex);
    TranslationTrouble trouble = new TranslationTrouble();
    List<Future<Map<String, byte[]>>> running = new ArrayList<>();
    List<String> names = reader.getClassNames();
    for (BaseDexFileReader part : DexPart.split(dex, names, 1 + names.size() / CLASSES_PER_PART)) {
      Callable<Map<String, byte[]>> work = () -> translatePart(part, workDir, trouble);
      running.add(workers.submit(work));
    }
    Map<String, byte[]> classes = new LinkedHashMap<>();
    for (Future<Map<String, byte[]>> part : running) {
      classes.putAll(await(part));
    }
    return new Translated(classes, DexFacts.of(reader), trouble.methods());
  }

  private static Map<String, byte[]> translatePart(
      BaseDexFileReader part, Path workDir, TranslationTrouble trouble) throws IOException {
    Path jar = Files.createTempFile(workDir, "dex", ".jar");
    try {
      Files.delete(jar);
      Dex2jar.from(part).withExceptionHandler(trouble).topoLogicalSort().skipDebug(false).dontSanitizeNames(true).to(jar);
      return read(jar);
    } finally {
      Files.deleteIfExists(jar);
    }
  }

  private static <T> T await(Future<T> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IOException("The dex file cannot be translated: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
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
