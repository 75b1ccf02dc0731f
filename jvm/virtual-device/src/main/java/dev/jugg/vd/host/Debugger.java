package dev.jugg.vd.host;

import com.google.gson.JsonObject;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.jugg.vd.host.protocol.Request;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The JVM's debugger interface (JDWP). It is loaded at the start and sleeps ({@code onjcmd=y}): nothing listens, nothing is slower,
 * until the first debugger comes.
 */
public final class Debugger {
  /** Where the JVM says, to those that attach to it, that it listens: {@code dt_socket:41233}. */
  private static final String ADDRESS = "sun.jdwp.listenerAddress";

  private static volatile boolean attached;

  private Debugger() {}

  /** What {@code Debug.isDebuggerConnected()} says; while it does, nobody is told that the app hangs. */
  public static boolean isAttached() {
    return attached;
  }

  /** Takes the requests about debuggers; false for others. */
  static boolean take(Request request) {
    switch (request.method()) {
      case "listenForDebugger" -> {
        // Attaching to oneself takes a tenth of a second, which nobody else shall wait for.
        Thread thread = new Thread(() -> listen(request), "jugg-debugger");
        thread.setDaemon(true);
        thread.start();
      }
      case "debugger" -> {
        attached = request.flag("attached");
        request.answer(new JsonObject());
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void listen(Request request) {
    try {
      JsonObject answer = new JsonObject();
      answer.addProperty("port", listen());
      request.answer(answer);
    } catch (IOException | ReflectiveOperationException | AttachNotSupportedException e) {
      request.fail("NO_DEBUGGER", "this Java runtime starts no debugger: " + e);
    }
  }

  /**
   * {@code jcmd VM.start_java_debugging} of this process, which may have been done before; its answer repeats the address that was
   * asked for, port 0. The true port is another one after each debugger.
   */
  private static synchronized int listen() throws IOException, ReflectiveOperationException, AttachNotSupportedException {
    VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    try {
      // Of a class that every HotSpot has, in a package that is opened to us on the command line.
      Object said = self.getClass().getMethod("executeJCmd", String.class).invoke(self, "VM.start_java_debugging");
      try (InputStream stream = (InputStream) said) {
        String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        String address = self.getAgentProperties().getProperty(ADDRESS);
        if (address == null) {
          throw new IOException(text.strip());
        }
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      }
    } finally {
      self.detach();
    }
  }
}
