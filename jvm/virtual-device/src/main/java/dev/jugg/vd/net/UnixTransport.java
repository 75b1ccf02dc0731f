package dev.jugg.vd.net;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Unix sockets in the file system. */
final class UnixTransport implements LocalTransport {
  @Override
  public Listener listen(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    // Of a process that was killed: an abstract name on a device ends with its process, a file does not.
    Files.deleteIfExists(file);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(file));
    return new Listener() {
      @Override
      public Connection accept() throws IOException {
        return new ChannelConnection(server.accept());
      }

      @Override
      public void close() throws IOException {
        server.close();
        Files.deleteIfExists(file);
      }
    };
  }

  @Override
  public Connection connect(Path file) throws IOException {
    return new ChannelConnection(SocketChannel.open(UnixDomainSocketAddress.of(file)));
  }
}
