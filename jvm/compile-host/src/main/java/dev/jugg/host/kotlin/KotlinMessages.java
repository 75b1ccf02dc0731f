package dev.jugg.host.kotlin;

import dev.jugg.host.Diagnostic;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jetbrains.kotlin.buildtools.api.CompilerMessageRendererWithDiagnosticId;

/**
 * Receives the compiler's messages where they still have their parts: the API lets a client render them, and the renderer
 * is given severity, text, place and the name of the problem.
 */
final class KotlinMessages implements CompilerMessageRendererWithDiagnosticId {
  private static final Pattern LOGGED = Pattern.compile("(file:\\S+?)(?::(\\d+):(\\d+))? (.*)", Pattern.DOTALL);

  // An incremental compile of several rounds reports a warning once a round.
  private final Set<Diagnostic> all = new LinkedHashSet<>();
  private final List<String> failures = new ArrayList<>();

  @Override
  public synchronized String render(Severity severity, String message, SourceLocation place, String id) {
    if (severity == Severity.ERROR || severity == Severity.WARNING) {
      all.add(
          new Diagnostic(
              severity == Severity.ERROR ? "error" : "warning",
              "kotlinc",
              place == null ? null : new File(place.getPath()).getAbsolutePath(),
              place == null ? null : known(place.getLine()),
              place == null ? null : known(place.getColumn()),
              place == null ? null : known(place.getLineEnd()),
              place == null ? null : known(place.getColumnEnd()),
              message,
              id));
    }
    return (place == null ? "" : place.getPath() + ":" + place.getLine() + ": ") + message;
  }

  /**
   * A message of a compiler that does not ask for a renderer, as it stands in its log: the URI of a file, line and column,
   * text.
   */
  synchronized void read(String severity, String logged) {
    Matcher parts = LOGGED.matcher(logged);
    if (!parts.matches()) {
      all.add(Diagnostic.withoutPlace(severity, "kotlinc", null, logged));
      return;
    }
    String file = Path.of(URI.create(parts.group(1))).toString();
    Integer line = parts.group(2) == null ? null : Integer.valueOf(parts.group(2));
    Integer column = parts.group(3) == null ? null : Integer.valueOf(parts.group(3));
    all.add(new Diagnostic(severity, "kotlinc", file, line, column, null, null, parts.group(4), null));
  }

  /** A failure that is not about the program: of the caches, of the compiler. */
  synchronized void failed(String text) {
    failures.add(text);
  }

  synchronized List<Diagnostic> all() {
    return List.copyOf(all);
  }

  /** Never without an error: what failed inside the compiler stands in when it had nothing to say about the program. */
  synchronized List<Diagnostic> allWithError() {
    List<Diagnostic> result = new ArrayList<>(all);
    if (result.stream().noneMatch(Diagnostic::isError)) {
      result.add(Diagnostic.error("kotlinc", summary()));
    }
    return result;
  }

  synchronized String summary() {
    return failures.isEmpty() ? "The Kotlin compiler failed without a message." : String.join("\n", failures);
  }

  private static Integer known(int position) {
    return position < 1 ? null : position;
  }
}
