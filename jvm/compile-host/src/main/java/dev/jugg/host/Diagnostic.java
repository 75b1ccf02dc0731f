package dev.jugg.host;

/**
 * One message of a compiler, as the client sees it.
 *
 * @param severity {@code error}, {@code warning} or {@code info}
 * @param tool {@code javac}, {@code kotlinc} or {@code d8}
 * @param file absolute path, or null
 * @param line from 1, or null
 * @param column from 1, or null
 * @param code the compiler's own name of the problem, or null
 */
public record Diagnostic(
    String severity, String tool, String file, Integer line, Integer column, String message, String code) {

  public static Diagnostic error(String tool, String message) {
    return new Diagnostic("error", tool, null, null, null, message, null);
  }

  public boolean isError() {
    return severity.equals("error");
  }
}
