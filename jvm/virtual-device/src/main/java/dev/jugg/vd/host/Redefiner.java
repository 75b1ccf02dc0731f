package dev.jugg.vd.host;

import dev.jugg.vd.host.dex.DexCache;
import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The {@code host} object that an agent gets. Error numbers are those of JVMTI, which agents on a phone get from ART
 * (jvmti.h, jvmtiError).
 */
public final class Redefiner {
  private static final int UNMODIFIABLE_CLASS = 79;
  private static final int INVALID_CLASS_FORMAT = 60;
  private static final int FAILS_VERIFICATION = 62;
  private static final int METHOD_ADDED = 63;
  private static final int INTERNAL = 113;

  private final DexCache dexCache;
  private final AppLoader app;
  private volatile String lastError = "";

  public Redefiner(DexCache dexCache, AppLoader app) {
    this.dexCache = dexCache;
    this.app = app;
  }

  /**
   * Translates the dex files, redefines every class in them that is loaded, and gives the others to the app's loader for
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
      return failed(METHOD_ADDED, String.valueOf(e.getMessage()));
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
    classes.forEach((name, bytes) -> app.add(name.replace('/', '.'), bytes));
    if (!loaded.isEmpty()) {
      ResidentAgent.get().redefineClasses(loaded.toArray(new ClassDefinition[0]));
    }
  }

  private int failed(int error, String text) {
    lastError = text;
    return error;
  }
}
