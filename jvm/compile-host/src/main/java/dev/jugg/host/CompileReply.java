package dev.jugg.host;

import java.util.List;

/** The answer to a compile; file names are absolute. */
public record CompileReply(
    boolean success,
    List<Diagnostic> diagnostics,
    List<String> compiled,
    List<String> written,
    List<String> removed) {

  public static CompileReply failed(List<Diagnostic> diagnostics, List<String> compiled) {
    return new CompileReply(false, diagnostics, compiled, List.of(), List.of());
  }
}
