package dev.jugg.host;

import dev.jugg.host.wire.Answers;
import dev.jugg.host.wire.Server;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Locale;

/**
 * A resident JVM that compiles, dexes and signs for Jugg. It speaks JSON lines: requests on standard input, answers and
 * events on standard output, everything that the compilers print on standard error. It ends when its input ends.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws IOException {
    // The compilers print to System.out at times: it must not reach the protocol.
    System.setOut(System.err);
    Locale.setDefault(Locale.ENGLISH);
    Answers answers = new Answers(new FileOutputStream(FileDescriptor.out));
    Server server = new Server(answers, new Operations());
    server.serve(new FileInputStream(FileDescriptor.in));
    // Not `return`: a compiler may still run on a thread that nobody waits for.
    System.exit(0);
  }
}
