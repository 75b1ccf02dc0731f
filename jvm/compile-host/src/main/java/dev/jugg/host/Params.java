package dev.jugg.host;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import dev.jugg.host.wire.Answers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the parameters of a request, with an error that names the one that is wrong. */
public final class Params {
  private Params() {}

  public static <T> T read(JsonObject params, Class<T> type) {
    try {
      return Answers.GSON.fromJson(params, type);
    } catch (JsonParseException e) {
      throw new HostException("INVALID_PARAMS", type.getSimpleName() + ": " + e.getMessage(), e);
    }
  }

  /** An absolute path: relative ones would depend on the host's working directory, and hang the Kotlin compiler. */
  public static Path path(String name, String value) {
    if (value == null) {
      throw new HostException("INVALID_PARAMS", name + " is missing");
    }
    Path path = Path.of(value);
    if (!path.isAbsolute()) {
      throw new HostException("INVALID_PARAMS", name + " is not an absolute path: " + value);
    }
    return path.normalize();
  }

  public static List<Path> paths(String name, List<String> values) {
    List<Path> paths = new ArrayList<>();
    for (String value : orEmpty(values)) {
      paths.add(path(name, value));
    }
    return paths;
  }

  public static <T> List<T> orEmpty(List<T> values) {
    return values == null ? List.of() : values;
  }
}
