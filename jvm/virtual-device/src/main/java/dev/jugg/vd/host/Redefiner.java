package dev.jugg.vd.host;

import dev.jugg.vd.host.dex.DexCache;
import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The {@code host} object that an agent gets. Error numbers are those of JVMTI, which agents on a phone get from ART
 * (jvmti.h, jvmtiError).
 */
public final class Redefiner {
  /** A few dozen classes: enough to warm up with, translated in a moment. */
  private static final int WARM_UP_BYTES = 200_000;

  private static final int UNMODIFIABLE_CLASS = 79;
  private static final int INVALID_CLASS_FORMAT = 60;
  private static final int FAILS_VERIFICATION = 62;
  private static final int METHOD_ADDED = 63;
  private static final int SCHEMA_CHANGED = 64;
  private static final int HIERARCHY_CHANGED = 66;
  private static final int METHOD_DELETED = 67;
  private static final int CLASS_MODIFIERS_CHANGED = 70;
  private static final int METHOD_MODIFIERS_CHANGED = 71;
  private static final int INTERNAL = 113;

  private final DexCache dexCache;
  private final AppLoader app;
  private volatile String lastError = "";

  public Redefiner(DexCache dexCache, AppLoader app) {
    this.dexCache = dexCache;
    this.app = app;
  }

  /**
   * Translates the dex files (a process that runs the original class files takes those too), redefines every class in them that is loaded, and gives the others to the app's loader for
   * their first use. All or nothing for the loaded ones. {@code binaryNames} names the classes that the caller means to
   * change; a class among them that the dex files lack is an error.
   *
   * @return 0, else the error number; {@link #lastError} has the text
   */
  public synchronized int redefine(String[] binaryNames, byte[][] dexFiles) {
    try {
      Map<String, byte[]> classes = dexCache.translate(dexFiles, app);
      for (String name : binaryNames) {
        if (!classes.containsKey(name.replace('.', '/'))) {
          return failed(INVALID_CLASS_FORMAT, name + " is in none of the dex files");
        }
      }
      apply(classes);
      lastError = "";
      return 0;
    } catch (UnsupportedOperationException e) {
      return failed(shapeError(String.valueOf(e.getMessage())), String.valueOf(e.getMessage()));
    } catch (UnmodifiableClassException e) {
      return failed(UNMODIFIABLE_CLASS, e.toString());
    } catch (ClassFormatError e) {
      return failed(INVALID_CLASS_FORMAT, e.toString());
    } catch (LinkageError e) {
      return failed(FAILS_VERIFICATION, e.toString());
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      return failed(INTERNAL, e.toString());
    }
  }

  /** Does once what the first {@link #redefine} would otherwise have to: loading the translator, attaching to the JVM. */
  public void warmUp(List<Path> apks) throws IOException {
    ResidentAgent.get();
    byte[] dex = dexCache.smallestDex(apks);
    if (dex != null && dex.length <= WARM_UP_BYTES) {
      dexCache.translate(new byte[][] {dex}, app);
    }
  }

  /** Why the last {@link #redefine} failed; empty when it did not. */
  public String lastError() {
    return lastError;
  }

  private void apply(Map<String, byte[]> classes)
      throws IOException, UnmodifiableClassException, ClassNotFoundException {
    List<ClassDefinition> loaded = new ArrayList<>();
    for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
      Class<?> current = app.loaded(entry.getKey().replace('/', '.'));
      if (current != null) {
        loaded.add(new ClassDefinition(current, entry.getValue()));
      }
    }
    // New classes first: the redefined ones may use them at once.
    Map<String, byte[]> before = app.added();
    classes.forEach((name, bytes) -> app.add(name.replace('/', '.'), bytes));
    boolean done = false;
    try {
      if (!loaded.isEmpty()) {
        ResidentAgent.get().redefineClasses(loaded.toArray(new ClassDefinition[0]));
      }
      done = true;
    } finally {
      if (!done) {
        app.restoreAdded(before);
      }
    }
  }

  /** java.lang.instrument throws one exception for all changes of shape; HotSpot's text tells them apart. */
  private static int shapeError(String message) {
    if (message.contains("change the schema")) {
      return SCHEMA_CHANGED;
    }
    if (message.contains("superclass or interfaces")) {
      return HIERARCHY_CHANGED;
    }
    if (message.contains("delete a method")) {
      return METHOD_DELETED;
    }
    if (message.contains("class modifiers")) {
      return CLASS_MODIFIERS_CHANGED;
    }
    return message.contains("method modifiers") ? METHOD_MODIFIERS_CHANGED : METHOD_ADDED;
  }

  private int failed(int error, String text) {
    lastError = text;
    return error;
  }
}
