package dev.jugg.host.kotlin;

import dev.jugg.host.CompileReply;
import dev.jugg.host.Diagnostic;
import dev.jugg.host.FileTrees;
import dev.jugg.host.Params;
import dev.jugg.host.wire.Call;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.kotlin.buildtools.api.CompilationResult;
import org.jetbrains.kotlin.buildtools.api.SourcesChanges;

/**
 * Compiles a module's Kotlin incrementally. The incremental compiler keeps its caches in the module's cache folder; beside
 * them lie our own notes: the class path and arguments of the last compile, and the outputs as the client knows them.
 */
public final class KotlinCompile {
  /** See {@code KotlinRequest} in the client's types. */
  public record Request(
      String moduleName,
      List<String> sources,
      List<String> classPath,
      List<String> friendPaths,
      String jvmTarget,
      List<String> freeArguments,
      String outputDir,
      String cacheDir,
      Changes changes,
      boolean compareClassPath,
      List<String> compiler,
      String snapshotDir) {}

  /** @param kind {@code known} or {@code unknown} */
  public record Changes(String kind, List<String> modified, List<String> removed) {}

  /** Compiles side by side: one of a small module leaves a second processor idle, and more only need more memory. */
  private static final int AT_ONCE = Math.min(2, Runtime.getRuntime().availableProcessors());

  private final Semaphore places = new Semaphore(AT_ONCE, true);

  /** A cancelled compile is answered before it ends: the next one of its module waits for that. */
  private final Map<String, ReentrantLock> modules = new ConcurrentHashMap<>();

  /** By the jars that they are loaded from. */
  private final Map<List<Path>, BuildTools> compilers = new ConcurrentHashMap<>();

  public CompileReply compile(Request request, Call call) throws IOException {
    Module module = new Module(request);
    ReentrantLock own = modules.computeIfAbsent(module.cacheDir.toString(), key -> new ReentrantLock(true));
    own.lock();
    try {
      places.acquireUninterruptibly();
      try {
        call.check();
        return compile(module, call);
      } finally {
        places.release();
      }
    } finally {
      own.unlock();
    }
  }

  private CompileReply compile(Module module, Call call) throws IOException {
    Files.createDirectories(module.outputDir);
    Files.createDirectories(module.cacheDir);
    OutputsAside aside = new OutputsAside(module);
    // A client that cannot say what has changed has nothing to compare outputs with either.
    OutputRecord before = module.knowsChanges() ? OutputRecord.read(module.record()) : OutputRecord.NONE;
    BuildTools tools = compilers.computeIfAbsent(module.compiler, BuildTools::new);
    Inputs last = Inputs.last(module);
    Inputs inputs = Inputs.of(module, tools.snapshots(module.snapshotDir), tools.version(), last, call);
    SourcesChanges changes = changes(module);
    boolean classPathAssured = changes instanceof SourcesChanges.Known;
    if (!inputs.sameArguments(last)) {
      // The incremental compiler does not look at its arguments: their change makes everything stale.
      FileTrees.delete(module.caches());
      changes = SourcesChanges.ToBeCalculated.INSTANCE;
      classPathAssured = false;
    }
    if (!inputs.sameClassPath(last)) {
      classPathAssured = false;
    }
    if (startsOver(changes)) {
      aside.keep();
      FileTrees.delete(module.caches());
      changes = SourcesChanges.ToBeCalculated.INSTANCE;
      classPathAssured = false;
    }
    boolean success = false;
    try {
      Outcome outcome = tools.run(new Round(module, inputs, changes, classPathAssured, aside), call);
      if (outcome.broken()) {
        outcome = recover(tools, module, inputs, aside, outcome, call);
      }
      success = outcome.result() == CompilationResult.COMPILATION_SUCCESS;
      return success
          ? accept(module, inputs, before, outcome, call)
          : CompileReply.failed(outcome.messages().allWithError(), outcome.compiled());
    } finally {
      if (!success) {
        aside.restore();
      }
      aside.discard();
    }
  }

  /**
   * When a Java source goes, the incremental compiler (2.4.21) compiles everything, but notes of the class path only what was
   * looked up before: at its next comparison what the sources use since then looks changed. So it begins without caches.
   */
  private static boolean startsOver(SourcesChanges changes) {
    return changes instanceof SourcesChanges.Known known
        && known.getRemovedFiles().stream().anyMatch(file -> file.getName().endsWith(".java"));
  }

  /** The caches cannot be read or contradict the sources: everything is compiled anew. */
  private Outcome recover(
      BuildTools tools, Module module, Inputs inputs, OutputsAside aside, Outcome broken, Call call)
      throws IOException {
    call.log(
        "kotlin: the incremental caches of "
            + module.request.moduleName()
            + " are unusable, compiling all: "
            + broken.messages().summary());
    aside.keep();
    FileTrees.delete(module.caches());
    return tools.run(new Round(module, inputs, SourcesChanges.ToBeCalculated.INSTANCE, false, aside), call);
  }

  /** Compares the outputs with what the client was last told, which may be older than the last compile. */
  private static CompileReply accept(Module module, Inputs inputs, OutputRecord before, Outcome outcome, Call call)
      throws IOException {
    OutputRecord now = OutputRecord.scan(module.outputDir, before);
    CompileReply reply =
        new CompileReply(
            true,
            outcome.messages().all(),
            outcome.compiled(),
            now.changedSince(before),
            before.missingIn(now));
    inputs.save(module);
    // From here on the answer cannot be taken back by a cancel: the client gets these changes, or never had the call.
    call.commit();
    now.write(module.record());
    return reply;
  }

  private static SourcesChanges changes(Module module) {
    if (!module.knowsChanges()) {
      return SourcesChanges.ToBeCalculated.INSTANCE;
    }
    Changes changes = module.request.changes();
    return new SourcesChanges.Known(
        files(Params.paths("modified", changes.modified())), files(Params.paths("removed", changes.removed())));
  }

  private static List<File> files(List<Path> paths) {
    List<File> files = new ArrayList<>();
    paths.forEach(path -> files.add(path.toFile()));
    return files;
  }

  /** How a compile ended; {@code compiled} are the sources that were really compiled. */
  record Outcome(CompilationResult result, KotlinMessages messages, List<String> compiled) {
    /** True when the fault is the compiler's or its caches', not the program's. */
    boolean broken() {
      return result == CompilationResult.COMPILER_INTERNAL_ERROR
          || result == CompilationResult.COMPILATION_ERROR && messages.all().stream().noneMatch(Diagnostic::isError);
    }
  }

  /** One run of the compiler. */
  record Round(
      Module module, Inputs inputs, SourcesChanges changes, boolean classPathAssured, OutputsAside aside) {}
}
