package dev.jugg.host.kotlin;

import dev.jugg.host.HostException;
import dev.jugg.host.kotlin.KotlinCompile.Outcome;
import dev.jugg.host.kotlin.KotlinCompile.Round;
import dev.jugg.host.wire.Call;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jetbrains.kotlin.buildtools.api.BaseCompilationOperation;
import org.jetbrains.kotlin.buildtools.api.BaseIncrementalCompilationConfiguration;
import org.jetbrains.kotlin.buildtools.api.CompilationResult;
import org.jetbrains.kotlin.buildtools.api.ExecutionPolicy;
import org.jetbrains.kotlin.buildtools.api.KotlinToolchains;
import org.jetbrains.kotlin.buildtools.api.OperationCancelledException;
import org.jetbrains.kotlin.buildtools.api.jvm.ClassSnapshotGranularity;
import org.jetbrains.kotlin.buildtools.api.jvm.JvmPlatformToolchain;
import org.jetbrains.kotlin.buildtools.api.jvm.JvmSnapshotBasedIncrementalCompilationConfiguration;
import org.jetbrains.kotlin.buildtools.api.jvm.operations.JvmClasspathSnapshottingOperation;
import org.jetbrains.kotlin.buildtools.api.jvm.operations.JvmCompilationOperation;

/**
 * The Kotlin Build Tools API with one implementation of it, which is one version of the compiler: loaded at the first compile,
 * with one build session that stays open.
 */
final class BuildTools {
  private final List<Path> jars;
  private KotlinToolchains toolchains;
  private JvmPlatformToolchain jvm;
  private KotlinToolchains.BuildSession session;
  private ExecutionPolicy policy;
  private final Map<Path, ClassPathSnapshots> snapshots = new HashMap<>();

  private String slowPages;

  /** @param jars another implementation than the host's own; empty for that */
  BuildTools(List<Path> jars) {
    this.jars = jars;
  }

  private synchronized KotlinToolchains toolchains() {
    if (toolchains == null) {
      toolchains = jars.isEmpty() ? own() : KotlinToolchains.loadImplementation(jars);
      jvm = JvmPlatformToolchain.from(toolchains);
      session = toolchains.createBuildSession();
      policy = toolchains.createInProcessExecutionPolicy();
    }
    return toolchains;
  }

  private KotlinToolchains own() {
    ClassLoader loader = BuildTools.class.getClassLoader();
    slowPages = CachePages.makeQuick(loader);
    return KotlinToolchains.loadImplementation(loader);
  }

  String version() {
    return toolchains().getCompilerVersion();
  }

  synchronized ClassPathSnapshots snapshots(Path dir) {
    return snapshots.computeIfAbsent(dir, key -> new ClassPathSnapshots(key, version(), this::makeSnapshot));
  }

  private void makeSnapshot(Path entry, Path file) {
    JvmClasspathSnapshottingOperation.Builder builder = jvm.classpathSnapshottingOperationBuilder(entry);
    builder.set(JvmClasspathSnapshottingOperation.GRANULARITY, ClassSnapshotGranularity.CLASS_LEVEL);
    session.executeOperation(builder.build()).saveSnapshot(file);
  }

  Outcome run(Round round, Call call) {
    toolchains();
    if (slowPages != null) {
      call.log("kotlin: the caches are slow to open: " + slowPages);
    }
    KotlinMessages messages = new KotlinMessages();
    IncrementalLog log =
        new IncrementalLog(round.module(), messages, call::log, round.aside()::keep, !jars.isEmpty());
    JvmCompilationOperation operation = operation(round, messages);
    call.onCancel(operation::cancel);
    CompilationResult result;
    try {
      result = session.executeOperation(operation, policy, log);
    } catch (OperationCancelledException e) {
      throw HostException.canceled();
    } catch (Exception e) {
      // Also checked exceptions, which Kotlin does not declare: unreadable caches are an IOException.
      call.check();
      messages.failed(e.toString());
      result = CompilationResult.COMPILER_INTERNAL_ERROR;
    }
    if (result == CompilationResult.COMPILATION_OOM_ERROR) {
      throw new OutOfMemoryError("Kotlin compiler");
    }
    return new Outcome(result, messages, log.compiled());
  }

  private JvmCompilationOperation operation(Round round, KotlinMessages messages) {
    Module module = round.module();
    JvmCompilationOperation.Builder builder = jvm.jvmCompilationOperationBuilder(module.sources, module.outputDir);
    builder.getCompilerArguments().applyArgumentStrings(module.arguments());
    builder.set(BaseCompilationOperation.COMPILER_MESSAGE_RENDERER, messages);
    JvmSnapshotBasedIncrementalCompilationConfiguration.Builder incremental =
        builder.snapshotBasedIcConfigurationBuilder(
            module.caches(), round.changes(), round.inputs().snapshots());
    incremental.set(BaseIncrementalCompilationConfiguration.ROOT_PROJECT_DIR, module.cacheDir);
    incremental.set(BaseIncrementalCompilationConfiguration.MODULE_BUILD_DIR, module.cacheDir);
    incremental.set(
        BaseIncrementalCompilationConfiguration.OUTPUT_DIRS, Set.of(module.outputDir, module.caches()));
    incremental.set(BaseIncrementalCompilationConfiguration.KEEP_IC_CACHES_IN_MEMORY, true);
    // Restores the class files when the compile fails.
    incremental.set(BaseIncrementalCompilationConfiguration.BACKUP_CLASSES, true);
    incremental.set(JvmSnapshotBasedIncrementalCompilationConfiguration.PRECISE_JAVA_TRACKING, true);
    if (round.classPathAssured()) {
      incremental.set(
          JvmSnapshotBasedIncrementalCompilationConfiguration.ASSURED_NO_CLASSPATH_SNAPSHOT_CHANGES, true);
    }
    builder.set(JvmCompilationOperation.INCREMENTAL_COMPILATION, incremental.build());
    return builder.build();
  }
}
