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
  /** What is known when there was no compile that succeeded. */
  static final Inputs NONE = new Inputs("", List.of());

  private final String argumentsDigest;
  private final List<Path> snapshots;

  private Inputs(String argumentsDigest, List<Path> snapshots) {
    this.argumentsDigest = argumentsDigest;
    this.snapshots = snapshots;
  }

  /** @param last of the last successful compile, whose class path is taken over when the client answers for it */
  static Inputs of(Module module, ClassPathSnapshots source, String compilerVersion, Inputs last, Call call)
      throws IOException {
    String arguments = Digests.of(compilerVersion + "\n" + String.join("\n", module.arguments()));
    boolean isTold = !module.request.compareClassPath() && last.argumentsDigest.equals(arguments);
    if (isTold && last.snapshots.stream().allMatch(Files::exists)) {
      return last;
    }
    List<Path> snapshots = new ArrayList<>();
    for (Path entry : module.classPath) {
      call.check();
      if (Files.exists(entry)) {
        snapshots.add(source.of(entry));
      }
    }
    return new Inputs(arguments, snapshots);
  }

  /** The compiler's digests of the entries of the class path. */
  List<Path> snapshots() {
    return snapshots;
  }

  /** As they were saved after the last successful compile. */
  static Inputs last(Module module) throws IOException {
    byte[] saved = FileTrees.readIfPresent(module.inputs());
    if (saved == null) {
      return NONE;
    }
    List<String> lines = new String(saved, StandardCharsets.UTF_8).lines().toList();
    List<Path> snapshots = lines.stream().skip(1).map(module.snapshotDir::resolve).toList();
    return new Inputs(lines.isEmpty() ? "" : lines.get(0), snapshots);
  }

  boolean sameArguments(Inputs other) {
    return argumentsDigest.equals(other.argumentsDigest);
  }

  boolean sameClassPath(Inputs other) {
    return snapshots.equals(other.snapshots);
  }

  void save(Module module) throws IOException {
    StringBuilder text = new StringBuilder(argumentsDigest);
    snapshots.forEach(snapshot -> text.append('\n').append(snapshot.getFileName()));
    FileTrees.writeAtomically(module.inputs(), text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
