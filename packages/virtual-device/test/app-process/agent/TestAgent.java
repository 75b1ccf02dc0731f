package dev.jugg.testagent;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Redefines classes of the app it is attached to; says in the log how that went. */
public final class TestAgent {
  private TestAgent() {}

  /** {@code args}: the classes' names joined by commas, a bar, the path of a dex file. */
  public static void start(String args, Object host) throws Exception {
    String[] parts = args.split("\\|");
    byte[][] dex = {Files.readAllBytes(Paths.get(parts[1]))};
    Method redefine = host.getClass().getMethod("redefine", String[].class, byte[][].class);
    long begun = System.nanoTime();
    Object code = redefine.invoke(host, parts[0].split(","), dex);
    long millis = (System.nanoTime() - begun) / 1_000_000;
    String error = (String) host.getClass().getMethod("lastError").invoke(host);
    Class<?> log = Class.forName("android.util.Log");
    log.getMethod("i", String.class, String.class).invoke(null, "TestAgent", "redefine " + code + " " + error + " in " + millis + " ms");
  }
}
