package dev.jugg.vd.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipFile;

/**
 * Loads the app's classes, as Android's PathClassLoader does: the framework's classes first, then the app's own. They
 * are never instrumented, so that they can be redefined. The libraries of the app process itself stay invisible.
 */
public final class AppLoader extends URLClassLoader {
  static {
    registerAsParallelCapable();
  }

  /** What a device shows by itself, as activities in the process of the app. */
  private static final String SYSTEM_UI = "dev.jugg.vd.permission.";

  private final ClassLoader sandbox;
  private final ZipFile framework;
  /** The last APK, for messages. */
  private final String where;
  /** Class files by binary name that came after the APK: they win as long as the class is not loaded. */
  private final Map<String, byte[]> added = new ConcurrentHashMap<>();
  /** Framework package, with its last dot, that the app shall not find, or null. */
  private volatile String hidden;

  /** {@code code}: jars with the app's classes, then APKs (for resources); {@code framework}: the framework's jar. */
  public AppLoader(List<Path> code, ClassLoader sandbox, Path framework) throws IOException {
    super(urls(code), sandbox);
    this.where = "zip file \"" + code.get(code.size() - 1) + "\"";
    this.sandbox = sandbox;
    this.framework = new ZipFile(framework.toFile());
  }

  /**
   * One lock for this loader and the sandbox's, which is not parallel capable: each asks the other, and with a lock each
   * two threads could wait for one another.
   */
  @Override
  protected Object getClassLoadingLock(String name) {
    return sandbox;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      String away = hidden;
      if (away != null && name.startsWith(away)) {
        throw new ClassNotFoundException(name);
      }
      if (isFramework(name) || name.startsWith(SYSTEM_UI)) {
        return sandbox.loadClass(name);
      }
      Class<?> own = loadOwn(name);
      if (own != null) {
        return own;
      }
      return ClassLoader.getPlatformClassLoader().loadClass(name);
    }
  }

  /** From now on the app finds no class of this framework package: a device of an older version. */
  public void hide(String packageName) {
    hidden = packageName + ".";
  }

  /** The app's own class of this name, or null. */
  Class<?> loadOwn(String name) {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try {
        return findClass(name);
      } catch (ClassNotFoundException e) {
        return null;
      }
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = added.get(name);
    return bytes == null ? super.findClass(name) : defineClass(name, bytes, 0, bytes.length);
  }

  /** The app's own native libraries are for another system: refused, in the words of Android's class loader. */
  @Override
  protected String findLibrary(String name) {
    throw new UnsatisfiedLinkError(
        "dalvik.system.PathClassLoader[DexPathList[[" + where + "],nativeLibraryDirectories=[/system/lib64]]] couldn't find \""
            + System.mapLibraryName(name) + "\": the virtual device loads no native libraries of apps");
  }

  /** The class if this loader has already loaded it, else null. */
  public Class<?> loaded(String name) {
    synchronized (getClassLoadingLock(name)) {
      return findLoadedClass(name);
    }
  }

  /** What {@link #add} has given so far; for {@link #restoreAdded}. */
  Map<String, byte[]> added() {
    return Map.copyOf(added);
  }

  void restoreAdded(Map<String, byte[]> before) {
    added.clear();
    added.putAll(before);
  }

  /** From now on {@code name} is this class file, unless it is loaded already. */
  void add(String name, byte[] classFile) {
    added.put(name, classFile);
  }

  @Override
  public URL getResource(String name) {
    URL own = findResource(name);
    return own != null ? own : sandbox.getResource(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    Set<URL> all = new LinkedHashSet<>(Collections.list(findResources(name)));
    return Collections.enumeration(all);
  }

  private boolean isFramework(String name) {
    return name.startsWith("java.") || framework.getEntry(name.replace('.', '/') + ".class") != null;
  }

  private static URL[] urls(List<Path> files) {
    return files.stream().map(AppLoader::url).toArray(URL[]::new);
  }

  private static URL url(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }
}
