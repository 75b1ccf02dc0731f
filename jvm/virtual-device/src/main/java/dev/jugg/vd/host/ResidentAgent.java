package dev.jugg.vd.host;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.nio.file.Path;

/**
 * Gets the JVM's instrumentation for this process itself, the first time it is needed. An agent on the command line
 * would make the JVM read the bytes of every class in the class-data archive and so cost most of what that saves.
 */
public final class ResidentAgent {
  private static volatile Instrumentation instrumentation;

  private ResidentAgent() {}

  public static void agentmain(String arguments, Instrumentation given) {
    instrumentation = given;
  }

  /** Needs {@code -Djdk.attach.allowAttachSelf=true}. */
  public static synchronized Instrumentation get() throws IOException {
    if (instrumentation == null) {
      attach();
    }
    return instrumentation;
  }

  private static void attach() throws IOException {
    try {
      Path jar = Path.of(ResidentAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      VirtualMachine self = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
      try {
        self.loadAgent(jar.toString());
      } finally {
        self.detach();
      }
    } catch (URISyntaxException
        | AttachNotSupportedException
        | com.sun.tools.attach.AgentLoadException
        | com.sun.tools.attach.AgentInitializationException e) {
      throw new IOException("this Java runtime does not let a process instrument itself: " + e, e);
    }
    if (instrumentation == null) {
      throw new IOException("the agent was loaded twice from different places");
    }
  }
}
