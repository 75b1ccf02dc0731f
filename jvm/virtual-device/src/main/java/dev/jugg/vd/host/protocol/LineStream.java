package dev.jugg.vd.host.protocol;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Hands over whole lines: what a program prints to System.out and System.err becomes log entries. */
public final class LineStream extends OutputStream {
  private final Consumer<String> sink;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  private LineStream(Consumer<String> sink) {
    this.sink = sink;
  }

  public static PrintStream to(Consumer<String> sink) {
    return new PrintStream(new LineStream(sink), true, StandardCharsets.UTF_8);
  }

  @Override
  public synchronized void write(int b) {
    if (b == '\n') {
      String text = line.toString(StandardCharsets.UTF_8);
      line.reset();
      sink.accept(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
    } else {
      line.write(b);
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      write(bytes[i]);
    }
  }
}
