package dev.jugg.host.kotlin;

import dev.jugg.host.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps a module's outputs while everything is compiled anew. The incremental compiler restores them by itself when an
 * incremental compile fails, but a full one begins by deleting them. What a killed host left aside is put back by the next.
 */
final class OutputsAside {
  private final Module module;
  private final Path aside;
  private final Path unfinished;
  private boolean kept;

  OutputsAside(Module module) throws IOException {
    this.module = module;
    aside = module.cacheDir.resolve("outputs-aside");
    unfinished = module.cacheDir.resolve("outputs-aside.part");
    FileTrees.delete(unfinished);
    if (Files.exists(aside)) {
      kept = true;
      restore();
      discard();
    }
  }

  /** Called before anything is deleted; the first call counts. */
  void keep() {
    if (kept) {
      return;
    }
    try {
      // Whatever comes of it: the class path of the last compile no longer says anything about the caches.
      Files.deleteIfExists(module.inputs());
      Files.createDirectories(unfinished);
      for (Path file : FileTrees.files(module.outputDir)) {
        Path copy = unfinished.resolve(module.outputDir.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        linkOrCopy(file, copy);
      }
      Files.move(unfinished, aside);
      kept = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts the outputs back, if they were kept. The caches that went with them are gone. */
  void restore() throws IOException {
    if (kept) {
      FileTrees.delete(module.outputDir);
      FileTrees.copy(aside, module.outputDir);
      FileTrees.delete(module.caches());
    }
  }

  void discard() throws IOException {
    FileTrees.delete(aside);
    kept = false;
  }

  /** The compiler deletes files and writes new ones, so a second name for the same content is enough. */
  private static void linkOrCopy(Path file, Path copy) throws IOException {
    try {
      Files.createLink(copy, file);
    } catch (FileSystemException | UnsupportedOperationException e) {
      Files.copy(file, copy);
    }
  }
}
