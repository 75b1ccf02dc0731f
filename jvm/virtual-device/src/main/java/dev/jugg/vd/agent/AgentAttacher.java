package dev.jugg.vd.agent;

import dev.jugg.vd.BoundApp;
import dev.jugg.vd.host.Host;
import dev.jugg.vd.host.Redefiner;
import dev.jugg.vd.host.protocol.ProtocolException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** {@code am attach-agent}: starts Java code in the app, where a phone would load a native library. */
public final class AgentAttacher {
  private final Host host;
  private Redefiner redefiner;

  public AgentAttacher(Host host) {
    this.host = host;
  }

  /**
   * @param options {@code jar=<path>,class=<name>,args=<percent-encoded>}; the entry's {@code start(String, Object)} runs
   *     on a thread of its own, and this returns when it has been called
   */
  public void attach(String options) throws ProtocolException {
    Map<String, String> values = parse(options);
    Path jar = Path.of(required(values, "jar"));
    String className = required(values, "class");
    if (!Files.isRegularFile(jar)) {
      throw new ProtocolException("AGENT_REFUSED", "no such file: " + jar);
    }
    Method start = entry(jar, className);
    String args = URLDecoder.decode(values.getOrDefault("args", ""), StandardCharsets.UTF_8);
    Object agentHost = redefiner();
    Thread thread = new Thread(() -> run(start, args, agentHost), "jugg-agent");
    thread.setDaemon(true);
    thread.setContextClassLoader(start.getDeclaringClass().getClassLoader());
    thread.start();
  }

  private synchronized Redefiner redefiner() {
    if (redefiner == null) {
      redefiner = new Redefiner(host.dexCache(), BoundApp.current().loader());
      Thread thread = new Thread(() -> warmUp(redefiner), "jugg-agent-warm-up");
      thread.setDaemon(true);
      thread.start();
    }
    return redefiner;
  }

  /** An agent that was attached is likely to redefine soon. */
  private void warmUp(Redefiner cold) {
    try {
      cold.warmUp(BoundApp.current().apks());
    } catch (IOException | RuntimeException | LinkageError e) {
      host.note(e);
    }
  }

  private static Method entry(Path jar, String className) throws ProtocolException {
    try {
      URLClassLoader loader =
          new URLClassLoader("agent", new URL[] {jar.toUri().toURL()}, BoundApp.current().loader());
      return loader.loadClass(className).getMethod("start", String.class, Object.class);
    } catch (ReflectiveOperationException | MalformedURLException | LinkageError e) {
      throw new ProtocolException("AGENT_FAILED", "cannot load " + className + ": " + e, e);
    }
  }

  private void run(Method start, String args, Object agentHost) {
    try {
      start.invoke(null, args, agentHost);
    } catch (InvocationTargetException e) {
      host.note(e.getCause());
    } catch (ReflectiveOperationException e) {
      host.note(e);
    }
  }

  private static String required(Map<String, String> values, String key) throws ProtocolException {
    String value = values.get(key);
    if (value == null || value.isEmpty()) {
      throw new ProtocolException("AGENT_REFUSED", "the agent's options lack " + key);
    }
    return value;
  }

  private static Map<String, String> parse(String options) {
    Map<String, String> values = new HashMap<>();
    for (String option : options.split(",")) {
      int equals = option.indexOf('=');
      if (equals > 0) {
        values.put(option.substring(0, equals), option.substring(equals + 1));
      }
    }
    return values;
  }
}
