package dev.jugg.host.dex;

import dev.jugg.host.Diagnostic;
import dev.jugg.host.FileTrees;
import dev.jugg.host.HostException;
import dev.jugg.host.Params;
import dev.jugg.host.wire.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The dexing requests. Results are made in a folder beside the output and moved in place when all is well, so that a
 * failed or cancelled call changes nothing.
 */
public final class DexOperations {
  /** @param dexer absolute path of the jar that holds D8, or null for dx */
  public record PerClassRequest(
      List<String> classFiles,
      List<String> classPath,
      List<String> bootClassPath,
      int minApi,
      String outputDir,
      String dexer) {}

  public record PerClassReply(List<Diagnostic> diagnostics, Map<String, String> dex) {}

  public record JarRequest(
      String jar, List<String> classPath, List<String> bootClassPath, int minApi, String outputDir, String dexer) {}

  public record MergeRequest(List<String> dexFiles, int minApi, String outputDir, String dexer) {}

  /** Dex files in the order in which they belong into an APK: classes.dex, classes2.dex, … */
  public record FilesReply(List<Diagnostic> diagnostics, List<String> files) {}

  private static final String GLOBALS = ".globals";

  /** Begins the names of D8's own classes in an intermediate result, after that of the class they are made for. */
  private static final String SYNTHETIC = "$$InternalSynthetic";

  private final Dexers dexers = new Dexers();

  public PerClassReply perClass(PerClassRequest request, Call call) throws IOException {
    Path outputDir = Params.path("outputDir", request.outputDir());
    Job job = new Job(call);
    job.minApi = request.minApi();
    job.programFiles = Params.paths("classFiles", request.classFiles());
    job.classPath = Params.paths("classPath", request.classPath());
    job.bootClassPath = Params.paths("bootClassPath", request.bootClassPath());
    job.perClass = true;
    if (job.programFiles.isEmpty()) {
      return new PerClassReply(List.of(), Map.of());
    }
    Path work = workDir(outputDir);
    try {
      List<Diagnostic> diagnostics = run(job, work, request.dexer());
      return new PerClassReply(diagnostics, moveClasses(work, outputDir, call));
    } finally {
      FileTrees.delete(work);
    }
  }

  public FilesReply jar(JarRequest request, Call call) throws IOException {
    Job job = new Job(call);
    job.minApi = request.minApi();
    job.programFiles = List.of(Params.path("jar", request.jar()));
    job.classPath = Params.paths("classPath", request.classPath());
    job.bootClassPath = Params.paths("bootClassPath", request.bootClassPath());
    return indexed(job, request.outputDir(), request.dexer());
  }

  public FilesReply merge(MergeRequest request, Call call) throws IOException {
    Job job = new Job(call);
    job.minApi = request.minApi();
    job.programFiles = Params.paths("dexFiles", request.dexFiles());
    job.merge = true;
    List<Path> globals = new ArrayList<>();
    Map<Path, List<Path>> listed = new HashMap<>();
    for (Path dex : job.programFiles) {
      globals.addAll(globalsOf(dex, listed));
    }
    job.globals = globals;
    return indexed(job, request.outputDir(), request.dexer());
  }

  private FilesReply indexed(Job job, String output, String dexer) throws IOException {
    Path outputDir = Params.path("outputDir", output);
    Path work = workDir(outputDir);
    try {
      List<Diagnostic> diagnostics = run(job, work, dexer);
      job.call.commit();
      List<String> files = new ArrayList<>();
      Files.createDirectories(outputDir);
      for (int i = 1; ; i++) {
        String name = i == 1 ? "classes.dex" : "classes" + i + ".dex";
        Path made = work.resolve(name);
        Path target = outputDir.resolve(name);
        if (Files.exists(made)) {
          FileTrees.moveInPlace(made, target);
          files.add(target.toString());
        } else if (!Files.deleteIfExists(target)) {
          // Neither made now nor left over from a larger result before.
          return new FilesReply(diagnostics, files);
        }
      }
    } finally {
      FileTrees.delete(work);
    }
  }

  private List<Diagnostic> run(Job job, Path work, String dexer) throws IOException {
    job.output = work;
    List<Diagnostic> diagnostics = dexers.at(dexer == null ? null : Params.path("dexer", dexer)).run(job);
    job.call.check();
    List<Diagnostic> errors = diagnostics.stream().filter(Diagnostic::isError).toList();
    if (!errors.isEmpty()) {
      String text = String.join("\n", errors.stream().map(DexOperations::line).toList());
      throw new HostException("COMPILE_ERROR", "The classes cannot be translated to dex: " + text, errors);
    }
    return diagnostics;
  }

  private static String line(Diagnostic diagnostic) {
    return diagnostic.file() == null ? diagnostic.message() : diagnostic.file() + ": " + diagnostic.message();
  }

  private static Map<String, String> moveClasses(Path work, Path outputDir, Call call) throws IOException {
    call.commit();
    Map<String, String> dex = new LinkedHashMap<>();
    List<Path> made = FileTrees.files(work);
    Map<Path, List<Path>> listed = new HashMap<>();
    for (Path file : made) {
      Path target = outputDir.resolve(work.relativize(file).toString());
      if (isDex(file)) {
        for (Path old : globalsOf(target, listed)) {
          Files.deleteIfExists(old);
        }
        dex.put(binaryName(work.relativize(file).toString()), target.toString());
      }
    }
    for (Path file : made) {
      FileTrees.moveInPlace(file, outputDir.resolve(work.relativize(file).toString()));
    }
    return dex;
  }

  private static boolean isDex(Path file) {
    return file.toString().endsWith(".dex");
  }

  /**
   * What D8 wrote beside the dex file of a class: for the class itself, and for the classes that it made for it.
   *
   * @param listed all such files by folder, filled as needed
   */
  private static List<Path> globalsOf(Path dex, Map<Path, List<Path>> listed) throws IOException {
    Path folder = dex.getParent();
    List<Path> candidates = listed.get(folder);
    if (candidates == null) {
      candidates = List.of();
      if (Files.isDirectory(folder)) {
        try (Stream<Path> beside = Files.list(folder)) {
          candidates = beside.filter(file -> file.toString().endsWith(GLOBALS)).sorted().toList();
        }
      }
      listed.put(folder, candidates);
    }
    String stem = stem(dex);
    return candidates.stream()
        .filter(
            file -> {
              String name = file.getFileName().toString();
              return name.equals(stem + GLOBALS) || name.startsWith(stem + SYNTHETIC);
            })
        .toList();
  }

  private static String binaryName(String relativeDex) {
    String stem = relativeDex.substring(0, relativeDex.length() - ".dex".length());
    return stem.replace('\\', '/').replace('/', '.');
  }

  private static String stem(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  private static Path workDir(Path outputDir) throws IOException {
    Files.createDirectories(outputDir);
    return Files.createTempDirectory(outputDir, ".dexing");
  }
}
