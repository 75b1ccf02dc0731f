package dev.jugg.host.kotlin;

import dev.jugg.host.Digests;
import dev.jugg.host.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The compiler's digests of class path entries, made once for each content and kept in a folder. An entry is a jar or a
 * folder of class files.
 */
final class ClassPathSnapshots {
  /** Every change of a library that another module compiles against leaves one behind. */
  private static final Duration KEPT = Duration.ofDays(14);

  /** A snapshot that is used gets a new time once a day. */
  private static final Duration FRESH = Duration.ofDays(1);

  private final Path dir;
  private final String version;
  private final BiConsumer<Path, Path> make;
  private final Map<Path, Known> known = new HashMap<>();

  /** @param state size and time of the entry's files when its content was read */
  private record Known(String state, String digest) {}

  /** @param make makes the snapshot of its first argument into the file of its second */
  ClassPathSnapshots(Path dir, String version, BiConsumer<Path, Path> make) {
    this.dir = dir;
    this.version = version;
    this.make = make;
    removeUnused();
  }

  /** Somebody else may do the same at the same time; what cannot be removed stays. */
  private void removeUnused() {
    try {
      for (Path file : FileTrees.files(dir)) {
        if (ageOf(file).compareTo(KEPT) > 0) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("compile host: old snapshots stay: " + e);
    }
  }

  private static Duration ageOf(Path file) throws IOException {
    return Duration.between(Files.getLastModifiedTime(file).toInstant(), Instant.now());
  }

  Path of(Path entry) throws IOException {
    Files.createDirectories(dir);
    Path snapshot = dir.resolve(digest(entry) + "-" + version + ".snapshot");
    if (!Files.exists(snapshot)) {
      Path part = Files.createTempFile(dir, "part", null);
      try {
        make.accept(entry, part);
        FileTrees.moveInPlace(part, snapshot);
      } finally {
        Files.deleteIfExists(part);
      }
    } else if (ageOf(snapshot).compareTo(FRESH) > 0) {
      Files.setLastModifiedTime(snapshot, FileTime.from(Instant.now()));
    }
    return snapshot;
  }

  private synchronized String digest(Path entry) throws IOException {
    List<Path> files = Files.isDirectory(entry) ? FileTrees.files(entry) : List.of(entry);
    StringBuilder state = new StringBuilder();
    for (Path file : files) {
      state.append(file).append('|').append(Files.size(file)).append('|');
      state.append(Files.getLastModifiedTime(file)).append('\n');
    }
    Known last = known.get(entry);
    if (last != null && last.state.contentEquals(state)) {
      return last.digest;
    }
    String digest = Files.isDirectory(entry) ? ofFolder(entry, files) : Digests.of(entry);
    known.put(entry, new Known(state.toString(), digest));
    return digest;
  }

  private static String ofFolder(Path folder, List<Path> files) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path file : files) {
      text.append(folder.relativize(file)).append(' ').append(Digests.of(file)).append('\n');
    }
    return Digests.of(text.toString());
  }
}
