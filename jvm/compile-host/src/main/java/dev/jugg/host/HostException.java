package dev.jugg.host;

import java.util.List;

/** A foreseen failure of a request: its code goes to the client as it is. */
public final class HostException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String code;
  private final transient List<Diagnostic> diagnostics;

  public HostException(String code, String message) {
    this(code, message, List.of());
  }

  /** @param diagnostics the compiler's messages that led to it */
  public HostException(String code, String message, List<Diagnostic> diagnostics) {
    super(message);
    this.code = code;
    this.diagnostics = List.copyOf(diagnostics);
  }

  public HostException(String code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.diagnostics = List.of();
  }

  public String code() {
    return code;
  }

  public List<Diagnostic> diagnostics() {
    return diagnostics;
  }

  /** The answer to a call that was cancelled. */
  public static HostException canceled() {
    return new HostException("CANCELED", "The call was cancelled.");
  }
}
