package dev.jugg.host.dex;

import dev.jugg.host.Diagnostic;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/**
 * Drives D8 through its public API (package {@code com.android.tools.r8}) by reflection, since D8 is found at run time: in
 * the SDK's build tools or as {@code com.android.tools:r8}.
 */
final class D8 implements Dexer {
  private static final String API = "com.android.tools.r8.";

  private final ClassLoader loader;
  private final Providers providers;
  private final Class<?> command;
  private final Class<?> builder;
  private final Class<?> handler;
  private final Class<?> cancelChecker;
  private final Class<?> outputMode;
  private final Class<?> mode;
  private final Method run;

  D8(ClassLoader loader) throws ReflectiveOperationException {
    this.loader = loader;
    providers = new Providers(loader);
    command = loader.loadClass(API + "D8Command");
    builder = loader.loadClass(API + "D8Command$Builder");
    handler = loader.loadClass(API + "DiagnosticsHandler");
    cancelChecker = find(API + "CancelCompilationChecker");
    outputMode = loader.loadClass(API + "OutputMode");
    mode = loader.loadClass(API + "CompilationMode");
    run = loader.loadClass(API + "D8").getMethod("run", command);
  }

  /** Runs D8 in this thread. */
  @Override
  public List<Diagnostic> run(Job job) throws IOException {
    D8Messages messages = new D8Messages();
    try {
      Object builder = command.getMethod("builder", handler).invoke(null, proxy(handler, messages));
      set(builder, "addProgramFiles", Collection.class, job.programFiles);
      addClassPath(builder, job.classPath);
      set(builder, "setMinApiLevel", int.class, job.minApi);
      set(builder, "setMode", mode, constant(mode, "DEBUG"));
      addLibrary(builder, job.bootClassPath);
      String layout = job.perClass ? "DexFilePerClassFile" : "DexIndexed";
      this.builder
          .getMethod("setOutput", Path.class, outputMode)
          .invoke(builder, job.output, constant(outputMode, layout));
      if (job.perClass) {
        set(builder, "setIntermediate", boolean.class, true);
        setIfKnown(builder, "setGlobalSyntheticsOutput", Path.class, job.output);
      }
      if (job.merge) {
        // Else the super class that D8 has put in the place of java.lang.Record is turned back into that.
        set(builder, "setDisableDesugaring", boolean.class, true);
      }
      if (!job.globals.isEmpty()) {
        setIfKnown(builder, "addGlobalSyntheticsFiles", Collection.class, job.globals);
      }
      if (cancelChecker != null) {
        InvocationHandler canceled = (proxy, method, arguments) -> job.call.isCanceled();
        setIfKnown(builder, "setCancelCompilationChecker", cancelChecker, proxy(cancelChecker, canceled));
      }
      run.invoke(null, this.builder.getMethod("build").invoke(builder));
    } catch (InvocationTargetException e) {
      job.call.check();
      messages.failed(e.getCause());
    } catch (ReflectiveOperationException e) {
      messages.failed(e);
    }
    return messages.all();
  }

  /** A folder among the libraries is a Java home: the framework's stubs have no java.* of their own. */
  private void addLibrary(Object builder, List<Path> bootClassPath) throws ReflectiveOperationException, IOException {
    for (Path path : bootClassPath) {
      set(builder, "addLibraryResourceProvider", providers.type(), providers.of(path));
    }
  }

  /** Folders are read anew each time; they hold what is being worked on. */
  private void addClassPath(Object builder, List<Path> classPath) throws ReflectiveOperationException, IOException {
    for (Path path : classPath) {
      if (Files.isDirectory(path)) {
        set(builder, "addClasspathFiles", Collection.class, List.of(path));
      } else if (Files.isRegularFile(path)) {
        set(builder, "addClasspathResourceProvider", providers.type(), providers.of(path));
      }
    }
  }

  private void set(Object target, String name, Class<?> type, Object value) throws ReflectiveOperationException {
    builder.getMethod(name, type).invoke(target, value);
  }

  /** Older versions of D8 lack a few settings that only newer ones need. */
  private void setIfKnown(Object target, String name, Class<?> type, Object value)
      throws ReflectiveOperationException {
    Method setter;
    try {
      setter = builder.getMethod(name, type);
    } catch (NoSuchMethodException e) {
      return;
    }
    setter.invoke(target, value);
  }

  private Class<?> find(String name) {
    try {
      return loader.loadClass(name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private Object proxy(Class<?> type, InvocationHandler handler) {
    return Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler);
  }

  private static Object constant(Class<?> type, String name) throws ReflectiveOperationException {
    return type.getField(name).get(null);
  }
}
