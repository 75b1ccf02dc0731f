package dev.jugg.host.javac;

import dev.jugg.host.HostException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;

/**
 * Keeps file managers with their opened jars between compiles: opening sixty jars costs more than compiling one file. A
 * manager belongs to one class path in one state of its jars, and to one compile at a time.
 */
final class FileManagers {
  /** More class paths than this are not in use side by side. */
  private static final int KEPT = 6;

  private final JavaCompiler compiler;
  private final List<Kept> idle = new ArrayList<>();

  FileManagers(JavaCompiler compiler) {
    this.compiler = compiler;
  }

  /** A manager on loan. */
  final class Lease {
    private final Kept kept;

    private Lease(Kept kept) {
      this.kept = kept;
    }

    StandardJavaFileManager manager() {
      return kept.manager;
    }

    void giveBack() throws IOException {
      release(kept);
    }
  }

  private record Kept(String key, StandardJavaFileManager manager) {}

  Lease take(List<Path> classPath) throws IOException {
    String key = key(classPath);
    synchronized (idle) {
      for (Kept kept : idle) {
        if (kept.key.equals(key)) {
          idle.remove(kept);
          return new Lease(kept);
        }
      }
    }
    if (compiler == null) {
      throw new HostException("JDK_UNSUITABLE", "This Java has no compiler (module jdk.compiler).");
    }
    StandardJavaFileManager manager =
        compiler.getStandardFileManager(null, Locale.ENGLISH, StandardCharsets.UTF_8);
    manager.setLocationFromPaths(StandardLocation.CLASS_PATH, classPath);
    manager.setLocationFromPaths(StandardLocation.SOURCE_PATH, List.of());
    return new Lease(new Kept(key, manager));
  }

  private void release(Kept kept) throws IOException {
    List<Kept> surplus = new ArrayList<>();
    synchronized (idle) {
      idle.add(kept);
      while (idle.size() > KEPT) {
        surplus.add(idle.remove(0));
      }
    }
    for (Kept old : surplus) {
      old.manager.close();
    }
  }

  /** Folders are read anew each time; of a jar the index is kept, so its time and size are part of the key. */
  private static String key(List<Path> classPath) throws IOException {
    StringBuilder key = new StringBuilder();
    for (Path entry : classPath) {
      key.append(entry);
      if (Files.isRegularFile(entry)) {
        key.append('|').append(Files.size(entry)).append('|').append(Files.getLastModifiedTime(entry));
      }
      key.append('\n');
    }
    return key.toString();
  }
}
