package dev.jugg.vd.host;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the daemon passes at start, see docs/app-process-protocol.md. */
public record LaunchSettings(
    Path frameworkJar,
    Path nativeDir,
    Path nativeJar,
    Path dexCacheDir,
    Path classJarDir,
    int api,
    JsonObject config,
    boolean archiveRun) {

  static LaunchSettings read(Path file) throws IOException {
    JsonObject json = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    return new LaunchSettings(
        Path.of(json.get("frameworkJar").getAsString()),
        Path.of(json.get("nativeDir").getAsString()),
        Path.of(json.get("nativeJar").getAsString()),
        Path.of(json.get("dexCacheDir").getAsString()),
        json.has("classJarDir") ? Path.of(json.get("classJarDir").getAsString()) : null,
        json.get("api").getAsInt(),
        json.getAsJsonObject("config"),
        json.has("archiveRun") && json.get("archiveRun").getAsBoolean());
  }
}
