import dev.jugg.vd.host.dex.DexCache;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/**
 * Calls the same methods with the same values in a library's original classes and in those that came through dex and
 * back, and prints what differs. Arguments: APK with the library's dex, library jar, other jars that it needs (joined by
 * the path separator), folder for the translation, framework jar, rounds, seed.
 */
public final class Differential {
  /** What depends on time, chance, threads, the outside world, or on what the classes are called. */
  private static final Pattern LEFT_OUT = Pattern.compile(
      "kotlin\\.(random|io|concurrent|coroutines|time|system|reflect|jvm\\.internal|uuid|internal)\\..*"
          + "|.*(Jvm|Random|Shuffle|Thread|Executor|Future|Service|Queue|Cache|Stopwatch|Ticker|Finaliz|Throwables|Unsafe).*"
          + "|com\\.google\\.common\\.(io|net|eventbus|reflect|util|graph|cache)\\..*|.*internal\\..*");
  private static final Pattern LEFT_OUT_METHODS = Pattern.compile(
      "(shuffle|random|print|readLine|sleep|exit|identity|reflection|goodFastHash|hashCode|getClass|wait|notify|notifyAll|finalize|lazy|"
          + "synchronized|generateSequence|repeat|iterate|cycle|newInstance|currentTime|nanoTime|run|use).*");
  private static final int TIMEOUT_SECONDS = 5;

  private static int classes;
  private static int methods;
  private static int calls;
  private static int returned;
  private static final List<String> differences = new ArrayList<>();
  private static ExecutorService worker = worker();

  private Differential() {}

  public static void main(String[] args) throws Exception {
    List<Path> jars = new DexCache(Path.of(args[3]), Path.of(args[4]), null).jars(List.of(Path.of(args[0]))).jars();
    URL[] others = args[2].isEmpty() ? new URL[0] : urls(Arrays.stream(args[2].split(java.io.File.pathSeparator)).map(Path::of).toList());
    ClassLoader shared = new URLClassLoader(others, ClassLoader.getPlatformClassLoader());
    ClassLoader original = new URLClassLoader(urls(List.of(Path.of(args[1]))), shared);
    ClassLoader translated = new URLClassLoader(urls(jars), shared);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong("seconds", 3600));
    for (String name : classNames(Path.of(args[1]))) {
      if (!LEFT_OUT.matcher(name).matches() && System.nanoTime() < end) {
        compare(name, original, translated, Integer.parseInt(args[5]), Long.parseLong(args[6]));
      }
    }
    System.out.println("classes " + classes + " methods " + methods + " calls " + calls + " returned " + returned);
    differences.stream().limit(30).forEach(System.out::println);
    System.out.println("differences " + differences.size());
    System.exit(0);
  }

  private static void compare(String name, ClassLoader original, ClassLoader translated, int rounds, long seed) {
    Class<?> a;
    Class<?> b;
    try {
      a = Class.forName(name, true, original);
      if (!Modifier.isPublic(a.getModifiers()) && !a.getName().contains("___")) {
        return;
      }
    } catch (Throwable e) {
      return;
    }
    try {
      b = Class.forName(name, true, translated);
    } catch (Throwable e) {
      differences.add(name + " does not load: " + e);
      return;
    }
    compareShapes(a, b);
    for (Method method : sorted(a.getDeclaredMethods())) {
      if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic() && !Modifier.isAbstract(method.getModifiers())
          && !LEFT_OUT_METHODS.matcher(method.getName()).matches()) {
        compare(method, b, original, translated, rounds, seed);
      }
    }
  }

  private static void compareShapes(Class<?> a, Class<?> b) {
    List<String> before;
    try {
      before = Shape.of(a);
    } catch (LinkageError e) {
      // What the Kotlin compiler inlines does not always say of itself where it is.
      return;
    }
    try {
      List<String> after = Shape.of(b);
      classes++;
      List<String> gone = new ArrayList<>(before);
      gone.removeAll(after);
      after.removeAll(before);
      if (!gone.isEmpty() || !after.isEmpty()) {
        differences.add(a.getName() + ": " + gone + " became " + after);
      }
    } catch (Throwable e) {
      differences.add(a.getName() + ": " + e);
    }
  }

  private static void compare(
      Method method, Class<?> other, ClassLoader original, ClassLoader translated, int rounds, long seed) {
    // By its text: Kotlin has methods that differ in the result only.
    Method twin = Arrays.stream(other.getDeclaredMethods())
        .filter(each -> signature(each).equals(signature(method)))
        .findFirst()
        .orElse(null);
    if (twin == null) {
      differences.add(method + " is gone");
      return;
    }
    boolean counted = false;
    for (int round = 0; round < rounds; round++) {
      long start = seed + method.toString().hashCode() * 31L + round;
      String a = attempt(method, original, start);
      if (a == null) {
        return;
      }
      if (!counted) {
        methods++;
        counted = true;
      }
      calls++;
      if (!a.startsWith("throws")) {
        returned++;
      }
      String b = attempt(twin, translated, start);
      if (!a.equals(b)) {
        differences.add(method + " #" + round + ": " + a + " became " + b);
        return;
      }
    }
  }

  /** The outcome as text; null when nobody knows how to call it, or it does not end. */
  private static String attempt(Method method, ClassLoader loader, long seed) {
    try {
      return worker.submit(() -> call(method, loader, seed)).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      worker.shutdownNow();
      worker = worker();
      return null;
    } catch (InterruptedException | ExecutionException e) {
      return Render.thrown(e.getCause() == null ? e : e.getCause());
    }
  }

  private static String call(Method method, ClassLoader loader, long seed) throws IllegalAccessException {
    Thread.currentThread().setContextClassLoader(loader);
    // The facades of Kotlin inherit from classes that are not public.
    method.setAccessible(true);
    Values values = new Values(loader, seed);
    Object target = null;
    if (!Modifier.isStatic(method.getModifiers())) {
      target = values.of(method.getDeclaringClass(), 0);
      if (target == Values.NONE || target == null) {
        return null;
      }
    }
    Type[] wanted = method.getGenericParameterTypes();
    Object[] arguments = new Object[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      arguments[i] = values.of(wanted[i], 0);
      if (arguments[i] == Values.NONE) {
        return null;
      }
    }
    try {
      Object result = method.invoke(target, arguments);
      // What a method changed counts as well.
      return Render.of(result) + " " + Render.of(arguments);
    } catch (InvocationTargetException e) {
      return Render.thrown(e.getCause());
    } catch (IllegalArgumentException e) {
      return null;
    } catch (RuntimeException | StackOverflowError e) {
      return Render.thrown(e);
    }
  }

  /** Dex keeps "synchronized" as code only. */
  private static String signature(Method method) {
    return method.toString().replace("synchronized ", "");
  }

  private static Method[] sorted(Method[] all) {
    Arrays.sort(all, Comparator.comparing(Method::toString));
    return all;
  }

  private static List<String> classNames(Path jar) throws java.io.IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF") && !name.endsWith("-info.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .sorted()
          .toList();
    }
  }

  private static URL[] urls(List<Path> files) throws java.net.MalformedURLException {
    URL[] urls = new URL[files.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = files.get(i).toUri().toURL();
    }
    return urls;
  }

  private static ExecutorService worker() {
    return Executors.newSingleThreadExecutor(work -> {
      Thread thread = new Thread(null, work, "calls", 1 << 22);
      thread.setDaemon(true);
      return thread;
    });
  }
}
