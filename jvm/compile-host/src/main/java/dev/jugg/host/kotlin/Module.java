package dev.jugg.host.kotlin;

import dev.jugg.host.Params;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A request with its paths checked. */
final class Module {
  final KotlinCompile.Request request;
  final List<Path> sources;
  final List<Path> classPath;
  final List<Path> friendPaths;
  final Path outputDir;
  final Path cacheDir;
  final Path snapshotDir;

  /** Jars of the compiler; empty for the host's own. */
  final List<Path> compiler;

  Module(KotlinCompile.Request request) {
    this.request = request;
    sources = Params.paths("sources", request.sources());
    classPath = Params.paths("classPath", request.classPath());
    friendPaths = Params.paths("friendPaths", request.friendPaths());
    outputDir = Params.path("outputDir", request.outputDir());
    cacheDir = Params.path("cacheDir", request.cacheDir());
    snapshotDir = Params.path("snapshotDir", request.snapshotDir());
    compiler = Params.paths("compiler", request.compiler());
  }

  boolean knowsChanges() {
    return request.changes() != null && "known".equals(request.changes().kind());
  }

  /** The incremental compiler's own folder. */
  Path caches() {
    return cacheDir.resolve("incremental");
  }

  /** Note of the outputs that the client has been told of. */
  Path record() {
    return cacheDir.resolve("outputs.txt");
  }

  /** Note of the class path and the arguments of the last compile. */
  Path inputs() {
    return cacheDir.resolve("inputs.txt");
  }

  List<String> arguments() {
    List<String> arguments = new ArrayList<>(List.of("-no-stdlib", "-no-reflect"));
    arguments.addAll(List.of("-module-name", request.moduleName()));
    arguments.addAll(List.of("-jvm-target", request.jvmTarget()));
    arguments.addAll(List.of("-classpath", join(classPath, java.io.File.pathSeparator)));
    if (!friendPaths.isEmpty()) {
      arguments.add("-Xfriend-paths=" + join(friendPaths, ","));
    }
    arguments.addAll(Params.orEmpty(request.freeArguments()));
    return arguments;
  }

  private static String join(List<Path> paths, String separator) {
    return String.join(separator, paths.stream().map(Path::toString).toList());
  }
}
