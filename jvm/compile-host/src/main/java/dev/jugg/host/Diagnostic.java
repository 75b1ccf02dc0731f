package dev.jugg.host;

/**
 * One message of a compiler, as the client sees it.
 *
 * @param severity {@code error}, {@code warning} or {@code info}
 * @param tool {@code javac}, {@code kotlinc} or {@code d8}
 * @param file absolute path, or null
 * @param line from 1, or null
 * @param column from 1 in characters, or null
 * @param endLine line of the end of what the message is about, from 1, or null
 * @param endColumn column of the first character behind it, or null
 * @param code the compiler's own name of the problem, or null
 */
public record Diagnostic(
    String severity,
    String tool,
    String file,
    Integer line,
    Integer column,
    Integer endLine,
    Integer endColumn,
    String message,
    String code) {

  public static Diagnostic error(String tool, String message) {
    return withoutPlace("error", tool, null, message);
  }

  /** About a file as a whole, or about none. */
  public static Diagnostic withoutPlace(String severity, String tool, String file, String message) {
    return new Diagnostic(severity, tool, file, null, null, null, null, message, null);
  }

  public boolean isError() {
    return severity.equals("error");
  }
}
