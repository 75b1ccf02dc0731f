package dev.jugg.vd.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * For systems without usable Unix sockets: a loopback port. The file says {@code <port> <secret>\n}; who connects sends
 * the secret and a line feed first, else it is turned away, so that other users of the machine stay out.
 */
final class LoopbackTransport implements LocalTransport {
  private static final int SECRET_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  @Override
  public Listener listen(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    byte[] random = new byte[SECRET_BYTES];
    RANDOM.nextBytes(random);
    String secret = HexFormat.of().formatHex(random);
    ServerSocketChannel server =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    Files.writeString(file, port + " " + secret + "\n");
    return new Listener() {
      @Override
      public Connection accept() throws IOException {
        while (true) {
          SocketChannel channel = server.accept();
          if (presents(channel, secret)) {
            return new ChannelConnection(channel);
          }
          channel.close();
        }
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
    String[] parts = Files.readString(file).trim().split(" ");
    SocketChannel channel = SocketChannel.open(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(parts[0])));
    ChannelConnection connection = new ChannelConnection(channel);
    connection.output().write((parts[1] + "\n").getBytes(StandardCharsets.US_ASCII));
    return connection;
  }

  /** A peer that is slow to say it only delays others that connect to the same app. */
  private static boolean presents(SocketChannel channel, String secret) throws IOException {
    byte[] expected = (secret + "\n").getBytes(StandardCharsets.US_ASCII);
    ByteBuffer given = ByteBuffer.allocate(expected.length);
    while (given.hasRemaining()) {
      if (channel.read(given) < 0) {
        return false;
      }
    }
    return MessageDigest.isEqual(expected, given.array());
  }
}
