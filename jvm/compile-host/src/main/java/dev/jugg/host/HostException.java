package dev.jugg.host;

/** A foreseen failure of a request: its code goes to the client as it is. */
public final class HostException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String code;

  public HostException(String code, String message) {
    super(message);
    this.code = code;
  }

  public HostException(String code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public String code() {
    return code;
  }

  /** The answer to a call that was cancelled. */
  public static HostException canceled() {
    return new HostException("CANCELED", "The call was cancelled.");
  }
}
