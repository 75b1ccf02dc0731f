package dev.jugg.host.javac;

import dev.jugg.host.HostException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;

/**
 * Keeps file managers with their opened jars between compiles: opening sixty jars costs more than compiling one file. A
 * manager belongs to the jars of a class path in one state, which the modules of a project share, and to one compile at a
 * time; the folders of the class path are set anew for each compile.
 */
final class FileManagers {
  /** More sets of jars than this are not in use side by side. */
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

    /** What the manager could not read, such as a source with bytes that are no UTF-8, until it is given back. */
    void reportTo(DiagnosticListener<JavaFileObject> listener) {
      kept.problems.target = listener;
    }

    void giveBack() throws IOException {
      kept.problems.target = null;
      if (kept.problems.reported) {
        // It reports each place once: the next compile of the same file would be well.
        kept.manager.close();
      } else {
        release(kept);
      }
    }
  }

  /** A manager reports to the listener that it was made with. */
  private static final class Problems implements DiagnosticListener<JavaFileObject> {
    private volatile DiagnosticListener<JavaFileObject> target;
    private volatile boolean reported;

    @Override
    public void report(Diagnostic<? extends JavaFileObject> diagnostic) {
      reported = true;
      DiagnosticListener<JavaFileObject> listener = target;
      if (listener != null) {
        listener.report(diagnostic);
      }
    }
  }

  private record Kept(String key, StandardJavaFileManager manager, Problems problems, List<Path> classPath) {}

  Lease take(List<Path> classPath) throws IOException {
    // What is not there would be remembered as such, also when it comes later.
    List<Path> present = classPath.stream().filter(Files::exists).toList();
    Kept kept = idleFor(key(present), present);
    if (!kept.classPath.equals(present)) {
      kept.manager.setLocationFromPaths(StandardLocation.CLASS_PATH, present);
    }
    return new Lease(new Kept(kept.key, kept.manager, kept.problems, present));
  }

  /** The manager that had this class path last, else one that has the jars open. */
  private Kept idleFor(String key, List<Path> classPath) throws IOException {
    synchronized (idle) {
      List<Kept> fitting = idle.stream().filter(kept -> kept.key.equals(key)).toList();
      if (!fitting.isEmpty()) {
        Kept first = fitting.get(0);
        Kept best = fitting.stream().filter(kept -> kept.classPath.equals(classPath)).findAny().orElse(first);
        idle.remove(best);
        return best;
      }
    }
    if (compiler == null) {
      throw new HostException("JDK_UNSUITABLE", "This Java has no compiler (module jdk.compiler).");
    }
    Problems problems = new Problems();
    StandardJavaFileManager manager =
        compiler.getStandardFileManager(problems, Locale.ENGLISH, StandardCharsets.UTF_8);
    manager.setLocationFromPaths(StandardLocation.SOURCE_PATH, List.of());
    return new Kept(key, manager, problems, List.of());
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

  /** Of a jar the index is kept, so its time and size are part of the key. */
  private static String key(List<Path> classPath) throws IOException {
    StringBuilder key = new StringBuilder();
    for (Path entry : classPath) {
      if (Files.isRegularFile(entry)) {
        key.append(entry).append('|').append(Files.size(entry)).append('|');
        key.append(Files.getLastModifiedTime(entry)).append('\n');
      }
    }
    return key.toString();
  }
}
