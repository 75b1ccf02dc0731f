package dev.jugg.vd.host.protocol;

/** A request that fails for a foreseen reason; {@code code} is one of those in docs/app-process-protocol.md. */
public final class ProtocolException extends Exception {
  private static final long serialVersionUID = 1;
  private final String code;

  public ProtocolException(String code, String message) {
    super(message);
    this.code = code;
  }

  public ProtocolException(String code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public String code() {
    return code;
  }
}
