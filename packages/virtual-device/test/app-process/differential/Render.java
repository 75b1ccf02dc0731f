import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A value as text: the same text in both worlds means the same value. */
final class Render {
  private static final int MAX_ELEMENTS = 40;
  /** What Object.toString says of an object's identity. */
  private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]+");

  private Render() {}

  static String of(Object value) {
    return of(value, 0);
  }

  private static String of(Object value, int depth) {
    if (value == null) {
      return "null";
    }
    if (depth > 4) {
      return "…";
    }
    if (value instanceof CharSequence || value instanceof Number || value instanceof Character || value instanceof Boolean) {
      return value.getClass().getSimpleName() + " " + IDENTITY.matcher(value.toString()).replaceAll("@");
    }
    if (value.getClass().isArray()) {
      List<String> parts = new ArrayList<>();
      for (int i = 0; i < Math.min(MAX_ELEMENTS, Array.getLength(value)); i++) {
        parts.add(of(Array.get(value, i), depth + 1));
      }
      return value.getClass().getComponentType().getSimpleName() + parts + Array.getLength(value);
    }
    if (value instanceof Map<?, ?> map) {
      return "map" + iterated(map.entrySet().iterator(), depth);
    }
    if (value instanceof Map.Entry<?, ?> entry) {
      return of(entry.getKey(), depth + 1) + "=" + of(entry.getValue(), depth + 1);
    }
    if (value instanceof Iterable<?> all) {
      return "all" + iterated(all.iterator(), depth);
    }
    if (value instanceof Iterator<?> iterator) {
      return "iterator" + iterated(iterator, depth);
    }
    if (value instanceof Throwable error) {
      return thrown(error);
    }
    Iterator<?> sequence = sequence(value);
    if (sequence != null) {
      return "sequence" + iterated(sequence, depth);
    }
    String text = String.valueOf(value);
    // Identities and the numbers of lambda classes differ from run to run.
    return text.contains("@") || text.contains("Lambda") || text.contains("$Proxy") ? "object" : text;
  }

  /** The message of a class cast names loaders, that of the JDK's helpful null pointers names variables. */
  static String thrown(Throwable error) {
    boolean told = error instanceof ClassCastException || error instanceof NullPointerException
        || error instanceof LinkageError || error instanceof OutOfMemoryError;
    String message = told ? "" : ": " + IDENTITY.matcher(String.valueOf(error.getMessage())).replaceAll("@");
    return "throws " + error.getClass().getName() + message;
  }

  private static String iterated(Iterator<?> iterator, int depth) {
    List<String> parts = new ArrayList<>();
    while (parts.size() < MAX_ELEMENTS && iterator.hasNext()) {
      parts.add(of(iterator.next(), depth + 1));
    }
    return parts.toString();
  }

  /** Of a kotlin.sequences.Sequence, which this class cannot name. */
  private static Iterator<?> sequence(Object value) {
    for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
      for (Class<?> implemented : type.getInterfaces()) {
        if (implemented.getName().equals("kotlin.sequences.Sequence")) {
          try {
            return (Iterator<?>) implemented.getMethod("iterator").invoke(value);
          } catch (ReflectiveOperationException e) {
            if (e.getCause() instanceof RuntimeException cause) {
              throw cause;
            }
            return null;
          }
        }
      }
    }
    return null;
  }
}
