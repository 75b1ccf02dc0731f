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
    all.add(
        new Diagnostic(
            severity(message.getKind()),
            "javac",
            file(message.getSource()),
            known(message.getLineNumber()),
            column(message),
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
      int position = (int) message.getPosition();
      String text = message.getSource().getCharContent(true).toString();
      return position - Math.max(text.lastIndexOf('\n', position - 1), text.lastIndexOf('\r', position - 1));
    } catch (IOException e) {
      return known(message.getColumnNumber());
    }
  }

  private static Integer known(long position) {
    return position == javax.tools.Diagnostic.NOPOS ? null : (int) position;
  }
}
