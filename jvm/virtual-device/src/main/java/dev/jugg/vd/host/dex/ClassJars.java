package dev.jugg.vd.host.dex;

import com.googlecode.d2j.reader.MultiDexFileReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Class files that whoever built an APK has put beside it, so that its dex need not be translated: jars in one folder,
 * each named by the SHA-256 of the APK, or of the one dex file, whose classes it has. A jar that does not fit is said so
 * and left alone: then the dex file is translated.
 */
final class ClassJars {
  private static final long MAX_BYTES = 256L << 20;
  private static final int CLASS_MAGIC = 0xcafebabe;
  /** The class file version of Java 1 is 45. */
  private static final int VERSION_OFFSET = 44;

  /** What D8 adds of its own: lambdas (numbered since R8 9), outlines, companions of interfaces, library classes. */
  private static final Pattern SYNTHETIC = Pattern.compile(
      "(com/android/tools/r8|j\\$)/.*|.*(\\$\\$(ExternalSynthetic|InternalSynthetic|Lambda\\$|ServiceLoad).*|-CC|-EL|-IA|\\$\\d+)");

  private final Path handedOver;
  private final Path kept;

  /** {@code handedOver}: the folder, or null when the device has none; {@code kept}: for verified copies. */
  ClassJars(Path handedOver, Path kept) {
    this.handedOver = handedOver;
    this.kept = kept;
  }

  /** False as long as nobody has handed anything over: then no digests are needed. */
  boolean isEmpty() {
    if (handedOver == null || !Files.isDirectory(handedOver)) {
      return true;
    }
    try (Stream<Path> files = Files.list(handedOver)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * The jar with the classes of {@code dexFiles}, or null. What is used is a copy: the original can be replaced while an
   * app runs from it. Why a jar is not used goes to {@code warnings}.
   */
  Path find(String sha256, List<byte[]> dexFiles, List<String> warnings) {
    if (handedOver == null) {
      return null;
    }
    Path jar = handedOver.resolve(sha256 + ".jar");
    try {
      if (!Files.isRegularFile(jar)) {
        return null;
      }
      long bytes = Files.size(jar);
      String version = bytes + "-" + Files.getLastModifiedTime(jar).toMillis();
      Path copy = kept.resolve("classes-" + sha256.substring(0, 32) + "-" + version + ".jar");
      if (Files.exists(copy)) {
        return copy;
      }
      String objection = bytes > MAX_BYTES ? "it is larger than " + MAX_BYTES + " bytes" : objection(jar, dexFiles);
      if (objection != null) {
        warnings.add(jar.getFileName() + " is not used, the code is translated instead: " + objection);
        return null;
      }
      Path part = Files.createTempFile(kept, "classes", ".part");
      Files.copy(jar, part, StandardCopyOption.REPLACE_EXISTING);
      Files.move(part, copy, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return copy;
    } catch (IOException | RuntimeException e) {
      warnings.add(jar.getFileName() + " is not used, the code is translated instead: " + e.getMessage());
      return null;
    }
  }

  /** Why this jar cannot stand for these dex files, or null. */
  private static String objection(Path jar, List<byte[]> dexFiles) throws IOException {
    Set<String> classes = new HashSet<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".class")) {
          String wrong = classes.isEmpty() ? wrongFormat(zip, entry) : null;
          if (wrong != null) {
            return wrong;
          }
          classes.add(entry.getName().substring(0, entry.getName().length() - ".class".length()));
        }
      }
    }
    for (byte[] dex : dexFiles) {
      for (String descriptor : MultiDexFileReader.open(dex).getClassNames()) {
        String name = descriptor.substring(1, descriptor.length() - 1);
        if (!classes.contains(name) && !SYNTHETIC.matcher(name).matches()) {
          return "it lacks " + name.replace('/', '.');
        }
      }
    }
    return null;
  }

  private static String wrongFormat(ZipFile zip, ZipEntry entry) throws IOException {
    try (DataInputStream in = new DataInputStream(zip.getInputStream(entry))) {
      if (in.readInt() != CLASS_MAGIC) {
        return entry.getName() + " is no class file";
      }
      in.readUnsignedShort();
      int java = in.readUnsignedShort() - VERSION_OFFSET;
      int here = Runtime.version().feature();
      return java > here ? "its classes are for Java " + java + ", the device runs on Java " + here : null;
    }
  }
}
