package dev.jugg.host.kotlin;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jetbrains.kotlin.buildtools.api.KotlinLogger;

/** Reads from the compiler's log what its API does not say: which sources it compiled, and why it compiled all. */
final class IncrementalLog implements KotlinLogger {
  /** Begins a list of sources, each in a message of its own: two spaces, path, and often an arrow and a reason. */
  private static final String LIST_START = "Compile iteration:";

  private static final String LIST_ENTRY = "  ";
  private static final String REASON = " <- ";
  private static final String NOT_INCREMENTAL = "Non-incremental compilation";

  private final Module module;
  private final Set<Path> sources;
  private final KotlinMessages messages;
  private final Consumer<String> log;
  private final Runnable beforeFull;
  private final boolean holdsMessages;
  private final Set<String> compiled = new LinkedHashSet<>();
  private boolean inList;

  /**
   * @param beforeFull is run when the compiler has decided to compile everything, before it deletes outputs
   * @param holdsMessages of a compiler that is too old to ask for a renderer: its messages are in its log alone
   */
  IncrementalLog(
      Module module,
      KotlinMessages messages,
      Consumer<String> log,
      Runnable beforeFull,
      boolean holdsMessages) {
    this.module = module;
    this.sources = Set.copyOf(module.sources);
    this.messages = messages;
    this.log = log;
    this.beforeFull = beforeFull;
    this.holdsMessages = holdsMessages;
  }

  synchronized List<String> compiled() {
    return List.copyOf(compiled);
  }

  @Override
  public boolean isDebugEnabled() {
    return true;
  }

  @Override
  public void error(String message, Throwable cause) {
    // Without a cause it is a message about the program, which the renderer has had.
    if (cause != null) {
      messages.failed(message + ": " + cause);
      cause.printStackTrace();
    } else if (holdsMessages) {
      messages.read("error", message);
    }
  }

  @Override
  public void warn(String message, Throwable cause) {
    if (cause != null) {
      log.accept("kotlin: " + message + ": " + cause);
    } else if (holdsMessages) {
      messages.read("warning", message);
    }
  }

  @Override
  public void info(String message) {
    if (message.startsWith(NOT_INCREMENTAL)) {
      log.accept("kotlin: " + message);
      beforeFull.run();
    }
  }

  @Override
  public void lifecycle(String message) {
    // Progress of the compiler's own; nothing in it for the user.
  }

  @Override
  public synchronized void debug(String message) {
    if (inList && message.startsWith(LIST_ENTRY)) {
      addCompiled(message.substring(LIST_ENTRY.length()));
    } else {
      inList = message.strip().equals(LIST_START);
    }
  }

  private void addCompiled(String entry) {
    if (!addSource(entry)) {
      int reason = entry.lastIndexOf(REASON);
      if (reason > 0) {
        addSource(entry.substring(0, reason));
      }
    }
  }

  /** Paths are relative to what was set as the root of the project: the module's cache folder. */
  private boolean addSource(String relative) {
    try {
      Path source = module.cacheDir.resolve(relative).normalize();
      if (!sources.contains(source)) {
        return false;
      }
      compiled.add(source.toString());
      return true;
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
