package dev.jugg.host.javac;

import com.sun.source.util.JavacTask;
import dev.jugg.host.CompileReply;
import dev.jugg.host.Diagnostic;
import dev.jugg.host.FileTrees;
import dev.jugg.host.HostException;
import dev.jugg.host.Params;
import dev.jugg.host.wire.Call;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles Java with the JDK's own compiler. Class files are made in memory and written when all is well, only those with
 * new content; removing class files of classes that are gone is the caller's business.
 */
public final class JavaCompile {
  /** What the client sends; see {@code JavaRequest} in the client's types. */
  public record Request(
      List<String> sources, List<String> classPath, String outputDir, int release, List<String> freeArguments) {}

  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  private final FileManagers fileManagers = new FileManagers(compiler);

  public CompileReply compile(Request request, Call call) throws IOException {
    List<Path> sources = Params.paths("sources", request.sources());
    Path outputDir = Params.path("outputDir", request.outputDir());
    JavaMessages messages = new JavaMessages();
    if (sources.isEmpty()) {
      return new CompileReply(true, List.of(), List.of(), List.of(), List.of());
    }
    List<Path> classPath = new ArrayList<>(Params.paths("classPath", request.classPath()));
    FileManagers.Lease lease = fileManagers.take(classPath);
    Map<String, byte[]> classes;
    boolean success;
    lease.reportTo(messages);
    try (MemoryOutput output = new MemoryOutput(lease.manager(), call)) {
      success = run(request, sources, output, messages, call);
      classes = output.classes();
    } finally {
      lease.giveBack();
    }
    List<String> compiled = sources.stream().map(Path::toString).toList();
    if (!success || messages.hasError()) {
      return CompileReply.failed(messages.all(), compiled);
    }
    call.commit();
    return new CompileReply(true, messages.all(), compiled, write(classes, outputDir), List.of());
  }

  private boolean run(Request request, List<Path> sources, MemoryOutput output, JavaMessages messages, Call call) {
    StringWriter rest = new StringWriter();
    Iterable<? extends JavaFileObject> units = output.standard().getJavaFileObjectsFromPaths(sources);
    boolean success;
    try {
      JavaCompiler.CompilationTask task =
          compiler.getTask(rest, output, messages, options(request), null, units);
      if (task instanceof JavacTask javacTask) {
        javacTask.addTaskListener(new CancelListener(call));
      }
      success = task.call();
    } catch (IllegalArgumentException e) {
      // An option that this compiler does not know.
      messages.add(Diagnostic.error("javac", e.getMessage()));
      return false;
    } catch (RuntimeException e) {
      call.check();
      throw e;
    }
    call.check();
    if (!success && !messages.hasError()) {
      messages.add(Diagnostic.error("javac", rest.toString().strip()));
    }
    return success;
  }

  private static List<String> options(Request request) {
    if (request.release() < 8) {
      throw new HostException("INVALID_PARAMS", "release " + request.release() + " is not one of javac's (8 or newer)");
    }
    List<String> options = new ArrayList<>(List.of("--release", Integer.toString(request.release())));
    // Sources are named one by one: nothing may be compiled only because it lies on the class path.
    options.addAll(List.of("-implicit:none", "-g", "-Xlint:-options", "-encoding", "UTF-8"));
    List<String> free = Params.orEmpty(request.freeArguments());
    if (free.stream().noneMatch(argument -> argument.startsWith("-proc"))) {
      options.add("-proc:none");
    }
    options.addAll(free);
    return options;
  }

  /** Writes what differs from the files that are there, and answers those paths. */
  private static List<String> write(Map<String, byte[]> classes, Path outputDir) throws IOException {
    List<String> written = new ArrayList<>();
    for (Map.Entry<String, byte[]> entry : new TreeMap<>(classes).entrySet()) {
      Path file = outputDir.resolve(entry.getKey().replace('.', '/') + ".class");
      if (!Arrays.equals(FileTrees.readIfPresent(file), entry.getValue())) {
        FileTrees.writeAtomically(file, entry.getValue());
        written.add(file.toString());
      }
    }
    return written;
  }
}
