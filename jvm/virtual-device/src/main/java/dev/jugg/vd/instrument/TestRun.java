package dev.jugg.vd.instrument;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.host.protocol.ProtocolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The {@code instrumentation} of {@code bind}: the test package that watches this app, and what its runner is told. */
public record TestRun(
    String packageName, String className, List<Path> apks, Path dataDir, Map<String, String> arguments) {

  /** Null when the app runs for itself. */
  public static TestRun of(JsonObject bindParams) throws ProtocolException {
    JsonElement element = bindParams.get("instrumentation");
    if (element == null || element.isJsonNull()) {
      return null;
    }
    try {
      JsonObject json = element.getAsJsonObject();
      List<Path> apks = new ArrayList<>();
      json.getAsJsonArray("apks").forEach(apk -> apks.add(Path.of(apk.getAsString())));
      Map<String, String> arguments = new LinkedHashMap<>();
      json.getAsJsonObject("arguments").asMap().forEach((key, value) -> arguments.put(key, value.getAsString()));
      return new TestRun(
          json.get("packageName").getAsString(),
          json.get("className").getAsString(),
          apks,
          Path.of(json.get("dataDir").getAsString()),
          arguments);
    } catch (RuntimeException e) {
      throw new ProtocolException("INVALID_PARAMS", "bind: instrumentation: " + e.getMessage(), e);
    }
  }
}
