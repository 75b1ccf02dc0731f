package dev.jugg.vd.net;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/** How a local socket reaches the daemon on this system. */
interface LocalTransport {
  /** Waits for connections until it is closed; {@link #accept} then throws. */
  interface Listener extends Closeable {
    Connection accept() throws IOException;
  }

  /** One stream of bytes in each direction; both may be used at the same time. */
  interface Connection extends Closeable {
    InputStream input();

    OutputStream output();

    void shutdownInput() throws IOException;

    void shutdownOutput() throws IOException;
  }

  Listener listen(Path file) throws IOException;

  Connection connect(Path file) throws IOException;

  /** Unix sockets; on Windows, where Node.js has none, the loopback interface. */
  static LocalTransport platform() {
    boolean loopback =
        Boolean.getBoolean("jugg.loopbackSockets") || System.getProperty("os.name").startsWith("Windows");
    return loopback ? new LoopbackTransport() : new UnixTransport();
  }
}
