package dev.jugg.vd.net;

import android.net.LocalSocketAddress;
import java.io.IOException;
import java.nio.file.Path;

/** Where a local socket's name is on the host. */
final class LocalNames {
  private LocalNames() {}

  /** An abstract name is a file in {@code dir}; a file system name is that file. */
  static Path file(Path dir, LocalSocketAddress address) throws IOException {
    return switch (address.getNamespace()) {
      case ABSTRACT -> dir.resolve(encode(address.getName()) + ".sock");
      case FILESYSTEM -> Path.of(address.getName());
      default -> throw new IOException("only init may use the reserved namespace");
    };
  }

  /** Letters, digits, dot, minus and underscore stay; every other UTF-16 unit becomes {@code %hhhh}. */
  private static String encode(String name) {
    StringBuilder encoded = new StringBuilder();
    for (char c : name.toCharArray()) {
      boolean plain = c < 128 && (Character.isLetterOrDigit(c) || c == '.' || c == '-' || c == '_');
      encoded.append(plain ? String.valueOf(c) : String.format("%%%04x", (int) c));
    }
    return encoded.toString();
  }
}
