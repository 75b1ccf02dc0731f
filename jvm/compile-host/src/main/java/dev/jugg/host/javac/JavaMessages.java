package dev.jugg.host.javac;

import dev.jugg.host.Diagnostic;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.DiagnosticListener;
import javax.tools.JavaFileObject;

/** Collects the messages of javac. */
final class JavaMessages implements DiagnosticListener<JavaFileObject> {
  private final List<Diagnostic> all = new ArrayList<>();

  @Override
  public void report(javax.tools.Diagnostic<? extends JavaFileObject> message) {
    Place end = end(message);
    all.add(
        new Diagnostic(
            severity(message.getKind()),
            "javac",
            file(message.getSource()),
            known(message.getLineNumber()),
            column(message),
            end.line,
            end.column,
            message.getMessage(Locale.ENGLISH),
            message.getCode()));
  }

  void add(Diagnostic message) {
    all.add(message);
  }

  List<Diagnostic> all() {
    return List.copyOf(all);
  }

  boolean hasError() {
    return all.stream().anyMatch(Diagnostic::isError);
  }

  private static String severity(javax.tools.Diagnostic.Kind kind) {
    return switch (kind) {
      case ERROR -> "error";
      case WARNING, MANDATORY_WARNING -> "warning";
      case NOTE, OTHER -> "info";
    };
  }

  private static String file(JavaFileObject source) {
    if (source == null) {
      return null;
    }
    URI uri = source.toUri();
    return "file".equals(uri.getScheme()) ? Path.of(uri).toString() : source.getName();
  }

  /** javac's own column counts a tab as up to eight; editors and the other compilers count characters. */
  private static Integer column(javax.tools.Diagnostic<? extends JavaFileObject> message) {
    if (message.getSource() == null || message.getPosition() == javax.tools.Diagnostic.NOPOS) {
      return known(message.getColumnNumber());
    }
    try {
      String text = message.getSource().getCharContent(true).toString();
      return columnAt((int) message.getPosition(), text);
    } catch (IOException e) {
      return known(message.getColumnNumber());
    }
  }

  private static int columnAt(int position, String text) {
    return position - Math.max(text.lastIndexOf('\n', position - 1), text.lastIndexOf('\r', position - 1));
  }

  private record Place(Integer line, Integer column) {
    static final Place UNKNOWN = new Place(null, null);
  }

  /** Behind the last character of the part of the source that the message is about. */
  private static Place end(javax.tools.Diagnostic<? extends JavaFileObject> message) {
    int from = (int) message.getPosition();
    int to = (int) message.getEndPosition();
    if (message.getSource() == null || from == javax.tools.Diagnostic.NOPOS || to < from) {
      return Place.UNKNOWN;
    }
    try {
      String text = message.getSource().getCharContent(true).toString();
      int lines = (int) text.substring(from, Math.min(to, text.length())).lines().count();
      boolean endsLine = to > from && "\r\n".indexOf(text.charAt(to - 1)) >= 0;
      int more = Math.max(lines - 1, 0) + (endsLine ? 1 : 0);
      return new Place((int) message.getLineNumber() + more, columnAt(to, text));
    } catch (IOException e) {
      return Place.UNKNOWN;
    }
  }

  private static Integer known(long position) {
    return position == javax.tools.Diagnostic.NOPOS ? null : (int) position;
  }
}
