package dev.jugg.vd.window;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Opaque pictures of screens as PNG, about twice as fast as the general encoder: screens repeat from row to row, so each
 * row is written as its difference to the one above.
 */
final class PngWriter {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  private static final byte FILTER_UP = 2;
  private static final byte BITS = 8;
  private static final byte TRUE_COLOUR = 2;
  private static final int BYTES_PER_PIXEL = 3;
  /** Compressed together: enough for the compressor to work at ease, little enough to stay in the cache. */
  private static final int ROWS_AT_ONCE = 32;

  private PngWriter() {}

  /** {@code pixels}: ARGB, row by row; alpha is left out. */
  static byte[] write(int[] pixels, int width, int height) {
    ByteArrayOutputStream png = new ByteArrayOutputStream(1 << 18);
    png.writeBytes(SIGNATURE);
    ByteBuffer header = ByteBuffer.allocate(13);
    header.putInt(width).putInt(height).put(BITS).put(TRUE_COLOUR).put((byte) 0).put((byte) 0).put((byte) 0);
    chunk(png, "IHDR", header.array(), header.capacity());
    ByteArrayOutputStream data = compress(pixels, width, height);
    chunk(png, "IDAT", data.toByteArray(), data.size());
    chunk(png, "IEND", new byte[0], 0);
    return png.toByteArray();
  }

  private static ByteArrayOutputStream compress(int[] pixels, int width, int height) {
    ByteArrayOutputStream data = new ByteArrayOutputStream(1 << 18);
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    int stride = 1 + width * BYTES_PER_PIXEL;
    byte[] rows = new byte[stride * ROWS_AT_ONCE];
    byte[] compressed = new byte[1 << 16];
    for (int first = 0; first < height; first += ROWS_AT_ONCE) {
      int count = Math.min(ROWS_AT_ONCE, height - first);
      for (int i = 0; i < count; i++) {
        row(pixels, width, first + i, rows, i * stride);
      }
      deflater.setInput(rows, 0, count * stride);
      if (first + count == height) {
        deflater.finish();
      }
      while (!deflater.needsInput() || (deflater.getTotalIn() == (long) stride * height && !deflater.finished())) {
        data.write(compressed, 0, deflater.deflate(compressed));
      }
    }
    deflater.end();
    return data;
  }

  private static void row(int[] pixels, int width, int y, byte[] out, int offset) {
    int at = offset;
    out[at++] = FILTER_UP;
    int current = y * width;
    int above = current - width;
    for (int x = 0; x < width; x++) {
      int pixel = pixels[current + x];
      int up = y == 0 ? 0 : pixels[above + x];
      if (pixel == up) {
        out[at] = 0;
        out[at + 1] = 0;
        out[at + 2] = 0;
      } else {
        out[at] = (byte) ((pixel >> 16) - (up >> 16));
        out[at + 1] = (byte) ((pixel >> 8) - (up >> 8));
        out[at + 2] = (byte) (pixel - up);
      }
      at += BYTES_PER_PIXEL;
    }
  }

  private static void chunk(ByteArrayOutputStream png, String type, byte[] data, int length) {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 crc = new CRC32();
    crc.update(name);
    crc.update(data, 0, length);
    png.writeBytes(ByteBuffer.allocate(4).putInt(length).array());
    png.writeBytes(name);
    png.write(data, 0, length);
    png.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}
