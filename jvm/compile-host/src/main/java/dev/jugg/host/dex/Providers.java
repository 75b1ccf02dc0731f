package dev.jugg.host.dex;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps D8's readers of jars and of the JDK open between its runs: reading their directories takes longer than dexing a
 * class. D8 closes its readers when it is done, so it gets wrappers that do not pass that on.
 */
final class Providers {
  /** More than any app's class path has, so that only entries that are gone are closed. */
  private static final int KEPT = 400;

  private static final String API = "com.android.tools.r8.";

  /** @param state size and time of the file when it was opened */
  private record Open(String state, AutoCloseable provider, Object wrapper) {}

  private final ClassLoader loader;
  private final Class<?> type;
  private final Map<Path, Open> open = new LinkedHashMap<>(16, 0.75f, true);

  Providers(ClassLoader loader) throws ReflectiveOperationException {
    this.loader = loader;
    this.type = loader.loadClass(API + "ClassFileResourceProvider");
  }

  Class<?> type() {
    return type;
  }

  /** A reader of a jar, or of the JDK whose home the folder is. */
  synchronized Object of(Path path) throws IOException, ReflectiveOperationException {
    boolean folder = Files.isDirectory(path);
    String state = folder ? "jdk" : Files.size(path) + "|" + Files.getLastModifiedTime(path);
    Open known = open.get(path);
    if (known != null && known.state.equals(state)) {
      return known.wrapper;
    }
    Object provider = folder ? jdk(path) : jar(path);
    Object wrapper =
        Proxy.newProxyInstance(
            loader,
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("finished")) {
                return null;
              }
              try {
                return method.invoke(provider, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    Open previous = open.put(path, new Open(state, (AutoCloseable) provider, wrapper));
    if (previous != null) {
      close(previous);
    }
    Iterator<Open> oldest = open.values().iterator();
    while (open.size() > KEPT) {
      close(oldest.next());
      oldest.remove();
    }
    return wrapper;
  }

  /** A run that still reads from it fails and is asked for again: its jar has been replaced under its feet. */
  private static void close(Open entry) {
    try {
      entry.provider.close();
    } catch (Exception e) {
      System.err.println("compile host: cannot close a jar: " + e);
    }
  }

  private Object jar(Path path) throws ReflectiveOperationException {
    return loader.loadClass(API + "ArchiveClassFileProvider").getConstructor(Path.class).newInstance(path);
  }

  private Object jdk(Path home) throws ReflectiveOperationException {
    return loader
        .loadClass(API + "JdkClassFileProvider")
        .getMethod("fromJdkHome", Path.class)
        .invoke(null, home);
  }
}
