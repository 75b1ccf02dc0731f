package dev.jugg.vd.host.dex;

import dev.jugg.vd.host.dex.DexTranslator.Translated;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;

/**
 * The code of an APK as class files: one jar for each {@code classesN.dex}, kept under the digest of that dex file, so
 * that a changed app does not translate its unchanged libraries again.
 */
public final class DexCache {
  /** Part of each file name: changes whenever the translation does. */
  private static final String TRANSLATION = "6";

  /** Entry of a jar with one method a line. */
  private static final String UNTRANSLATED = "META-INF/jugg/untranslated";

  private final Path dir;
  private final ZipFile framework;
  private final ClassJars handedOver;

  /**
   * {@code framework} is the jar whose classes the app's code is compiled against; {@code classJars} the folder of
   * {@link ClassJars}, or null.
   */
  public DexCache(Path dir, Path framework, Path classJars) throws IOException {
    this.dir = Files.createDirectories(dir);
    this.framework = new ZipFile(framework.toFile());
    this.handedOver = new ClassJars(classJars, dir);
  }

  /** Jars with the code of APKs, in the order in which Android looks classes up, and what there is to say about them. */
  public record Code(List<Path> jars, List<String> warnings) {}

  /** Jars that are missing are made. */
  public synchronized Code jars(List<Path> apks) throws IOException {
    Map<Path, byte[]> dexByJar = new LinkedHashMap<>();
    Set<Path> jars = new LinkedHashSet<>();
    List<String> warnings = new ArrayList<>();
    boolean translateAll = handedOver.isEmpty();
    for (Path apk : apks) {
      List<byte[]> dexFiles = dexFiles(apk);
      Path whole = translateAll ? null : handedOver.find(sha256(Files.readAllBytes(apk)), dexFiles, warnings);
      if (whole != null) {
        jars.add(whole);
        continue;
      }
      for (byte[] dex : dexFiles) {
        String digest = sha256(dex);
        Path given = translateAll ? null : handedOver.find(digest, List.of(dex), warnings);
        Path jar = given != null ? given : dir.resolve(digest.substring(0, 32) + "-" + TRANSLATION + ".jar");
        jars.add(jar);
        if (given == null) {
          dexByJar.put(jar, dex);
        }
      }
    }
    if (!dexByJar.keySet().stream().allMatch(Files::exists)) {
      // Two processes that start the same app translate it once.
      try (FileChannel file =
              FileChannel.open(dir.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = file.lock()) {
        translateMissing(dexByJar);
      }
    }
    return new Code(List.copyOf(jars), warnings);
  }

  /** Methods in these jars that could not be translated: they throw when they are called. */
  public List<String> untranslated(List<Path> jars) throws IOException {
    List<String> methods = new ArrayList<>();
    for (Path jar : jars) {
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        ZipEntry entry = zip.getEntry(UNTRANSLATED);
        if (entry != null) {
          String text = new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
          methods.addAll(text.lines().toList());
        }
      }
    }
    return methods;
  }

  /**
   * Class files of dex files that are not part of an APK, by internal name; what is a class file already stays as it is.
   * {@code appClasses} opens the app's own classes (they may be super types of the new ones).
   */
  public Map<String, byte[]> translate(byte[][] files, ClassLoader appClasses) throws IOException {
    ClassHierarchy hierarchy = new ClassHierarchy(name -> {
      InputStream own = appClasses.getResourceAsStream(name + ".class");
      return own != null ? own : openFramework(name);
    });
    Map<String, byte[]> given = new LinkedHashMap<>();
    Map<String, byte[]> classes = new LinkedHashMap<>();
    DexFacts facts = new DexFacts();
    ExecutorService workers = workers();
    try {
      for (byte[] dex : files) {
        if (isClassFile(dex)) {
          given.put(new ClassReader(dex).getClassName(), dex);
          hierarchy.add(dex);
          continue;
        }
        Translated translated = DexTranslator.translate(dex, dir, workers);
        classes.putAll(translated.classes());
        facts.addAll(translated.facts());
        if (!translated.untranslated().isEmpty()) {
          throw new IOException("cannot be translated: " + translated.untranslated());
        }
      }
    } finally {
      workers.shutdownNow();
    }
    classes.values().forEach(hierarchy::add);
    ClassFixer fixer = new ClassFixer(hierarchy, new NestedClasses(classes.values()), facts);
    classes.replaceAll((name, bytes) -> fixer.fix(bytes));
    classes.putAll(given);
    return classes;
  }

  private static boolean isClassFile(byte[] bytes) {
    return bytes.length > 4 && ByteBuffer.wrap(bytes).getInt() == 0xcafebabe;
  }

  /** The smallest dex file of the APKs, or null when they have no code. */
  public byte[] smallestDex(List<Path> apks) throws IOException {
    byte[] smallest = null;
    for (Path apk : apks) {
      for (byte[] dex : dexFiles(apk)) {
        smallest = smallest == null || dex.length < smallest.length ? dex : smallest;
      }
    }
    return smallest;
  }

  private void translateMissing(Map<Path, byte[]> dexByJar) throws IOException {
    ClassHierarchy hierarchy = new ClassHierarchy(this::openFramework);
    Map<Path, Translated> byJar = new LinkedHashMap<>();
    ExecutorService workers = workers();
    try {
      for (Map.Entry<Path, byte[]> entry : dexByJar.entrySet()) {
        Path jar = entry.getKey();
        boolean kept = Files.exists(jar);
        byJar.put(
            jar,
            kept
                ? new Translated(DexTranslator.read(jar), new DexFacts(), List.of())
                : DexTranslator.translate(entry.getValue(), dir, workers));
      }
    } finally {
      workers.shutdownNow();
    }
    byJar.values().forEach(translated -> translated.classes().values().forEach(hierarchy::add));
    for (Map.Entry<Path, Translated> entry : byJar.entrySet()) {
      if (!Files.exists(entry.getKey())) {
        Translated translated = entry.getValue();
        NestedClasses nested = new NestedClasses(translated.classes().values());
        write(entry.getKey(), translated, new ClassFixer(hierarchy, nested, translated.facts()));
      }
    }
  }

  /** Daemon threads: an app that ends meanwhile does not wait for them. */
  private static ExecutorService workers() {
    return Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), work -> {
      Thread thread = new Thread(work, "jugg-dex");
      thread.setDaemon(true);
      return thread;
    });
  }

  /** Atomically: nobody sees half a jar. */
  private void write(Path jar, Translated translated, ClassFixer fixer) throws IOException {
    Map<String, byte[]> fixed = new LinkedHashMap<>(translated.classes());
    fixed.entrySet().parallelStream().forEach(entry -> entry.setValue(fixer.fix(entry.getValue())));
    Path part = Files.createTempFile(dir, "jar", ".part");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(part))) {
      zip.setLevel(1);
      for (Map.Entry<String, byte[]> entry : fixed.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey() + ".class"));
        zip.write(entry.getValue());
        zip.closeEntry();
      }
      if (!translated.untranslated().isEmpty()) {
        zip.putNextEntry(new ZipEntry(UNTRANSLATED));
        zip.write(String.join("\n", translated.untranslated()).getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
    Files.move(part, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private InputStream openFramework(String internalName) throws IOException {
    ZipEntry entry = framework.getEntry(internalName + ".class");
    return entry == null ? null : framework.getInputStream(entry);
  }

  private static List<byte[]> dexFiles(Path apk) throws IOException {
    List<byte[]> files = new ArrayList<>();
    try (ZipFile zip = new ZipFile(apk.toFile())) {
      for (int i = 1; ; i++) {
        ZipEntry entry = zip.getEntry(i == 1 ? "classes.dex" : "classes" + i + ".dex");
        if (entry == null) {
          return files;
        }
        try (InputStream in = zip.getInputStream(entry)) {
          files.add(in.readAllBytes());
        }
      }
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
