package dev.jugg.host.kotlin;

import dev.jugg.host.Digests;
import dev.jugg.host.FileTrees;
import dev.jugg.host.wire.Call;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Class path and arguments of a compile. They are compared with those of the last one by content, so that a wrong word of
 * the client about what has changed cannot lead to stale classes.
 */
final class Inputs {
  private final List<Path> snapshots;
  private final String argumentsDigest;
  private final String classPathDigest;

  private Inputs(List<Path> snapshots, String argumentsDigest, String classPathDigest) {
    this.snapshots = snapshots;
    this.argumentsDigest = argumentsDigest;
    this.classPathDigest = classPathDigest;
  }

  static Inputs of(Module module, ClassPathSnapshots source, String compilerVersion, Call call) throws IOException {
    List<Path> snapshots = new ArrayList<>();
    for (Path entry : module.classPath) {
      call.check();
      if (Files.exists(entry)) {
        snapshots.add(source.of(entry));
      }
    }
    List<String> names = snapshots.stream().map(path -> path.getFileName().toString()).toList();
    return new Inputs(
        snapshots,
        Digests.of(compilerVersion + "\n" + String.join("\n", module.arguments())),
        Digests.of(String.join("\n", names)));
  }

  List<Path> snapshots() {
    return snapshots;
  }

  /** The text that was saved after the last successful compile; empty when there was none. */
  static String last(Module module) throws IOException {
    byte[] saved = FileTrees.readIfPresent(module.inputs());
    return saved == null ? "" : new String(saved, StandardCharsets.UTF_8);
  }

  boolean sameArguments(String last) {
    return last.startsWith(argumentsDigest);
  }

  boolean sameClassPath(String last) {
    return last.endsWith(classPathDigest);
  }

  void save(Module module) throws IOException {
    String text = argumentsDigest + "\n" + classPathDigest;
    FileTrees.writeAtomically(module.inputs(), text.getBytes(StandardCharsets.UTF_8));
  }
}
