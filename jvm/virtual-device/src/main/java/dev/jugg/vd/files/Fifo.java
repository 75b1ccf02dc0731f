package dev.jugg.vd.files;

import dev.jugg.vd.BoundApp;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pipe that has a name, so that another process can open its ends too. The name goes when this process has closed all
 * that it had of it; ends elsewhere work on.
 */
final class Fifo {
  private static final AtomicInteger LAST = new AtomicInteger();

  private final Path path;
  /** False of one that another process has made. */
  private final boolean own;
  private int open;

  private Fifo(Path path, boolean own) {
    this.path = path;
    this.own = own;
  }

  /** Named by the process, so that the daemon can clear up after it. */
  static Fifo make() throws IOException {
    Path dir = BoundApp.current().socketDir().resolve("pipes");
    Files.createDirectories(dir);
    Path path = dir.resolve(ProcessHandle.current().pid() + "-" + LAST.incrementAndGet());
    try {
      Process made = new ProcessBuilder("mkfifo", "-m", "600", path.toString()).start();
      if (made.waitFor() != 0) {
        throw new IOException("mkfifo " + path + ": " + new String(made.getErrorStream().readAllBytes()).trim());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    return new Fifo(path, true);
  }

  static Fifo of(Path path) {
    return new Fifo(path, false);
  }

  Path path() {
    return path;
  }

  synchronized FileInputStream openSource() throws IOException {
    // Opening one end waits for the other, which may be closed already: for this moment there is one.
    try (RandomAccessFile both = bothEnds()) {
      FileInputStream source = new FileInputStream(path.toFile());
      open++;
      return source;
    }
  }

  synchronized FileOutputStream openSink() throws IOException {
    try (RandomAccessFile both = bothEnds()) {
      FileOutputStream sink = new FileOutputStream(path.toFile());
      open++;
      return sink;
    }
  }

  private RandomAccessFile bothEnds() throws IOException {
    if (!Files.exists(path)) {
      throw new IOException("the pipe is closed");
    }
    return new RandomAccessFile(path.toFile(), "rw");
  }

  /** One of the ends that were opened here is closed. */
  synchronized void closed() throws IOException {
    open--;
    if (open == 0 && own) {
      Files.deleteIfExists(path);
    }
  }
}
