package dev.jugg.vd;

import android.content.pm.ApplicationInfo;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.jugg.vd.host.AppLoader;
import dev.jugg.vd.host.protocol.ProtocolException;
import dev.jugg.vd.host.protocol.Request;
import dev.jugg.vd.instrument.TestRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The app that this process runs, as the daemon's {@code bind} says it; {@code testRun} is null when nobody tests it. */
public record BoundApp(
    String packageName,
    String processName,
    int uid,
    List<Path> apks,
    Path dataDir,
    Path externalDir,
    Path socketDir,
    List<String> grantedPermissions,
    TestRun testRun,
    boolean withoutResourcesLoader,
    AppLoader loader) {
  private static volatile BoundApp current;

  /** The bound app, or null while this process waits as a spare. */
  public static BoundApp current() {
    return current;
  }

  static void set(BoundApp app) {
    current = app;
  }

  static BoundApp of(Request request, AppLoader loader) throws ProtocolException {
    return new BoundApp(
        request.string("packageName"),
        request.string("processName"),
        (int) request.optionalLong("uid", -1),
        apks(request),
        Path.of(request.string("dataDir")),
        Path.of(request.string("externalDir")),
        Path.of(request.string("socketDir")),
        strings(request.params(), "grantedPermissions"),
        TestRun.of(request.params()),
        request.flag("withoutResourcesLoader"),
        loader);
  }

  static List<Path> apks(Request request) throws ProtocolException {
    List<Path> paths = new ArrayList<>();
    for (String apk : strings(request.params(), "apks")) {
      paths.add(Path.of(apk));
    }
    if (paths.isEmpty()) {
      throw new ProtocolException("INVALID_PARAMS", "bind: apks is empty");
    }
    return paths;
  }

  /** Fills in what the package manager of a device knows and an APK does not say. */
  public void complete(ApplicationInfo info) {
    String data = dataDir.toString();
    info.dataDir = data;
    info.credentialProtectedDataDir = data;
    info.deviceProtectedDataDir = data;
    info.uid = uid;
    info.nativeLibraryDir = dataDir.resolve("lib").toString();
    if (apks.size() > 1) {
      String[] splits = apks.stream().skip(1).map(Path::toString).toArray(String[]::new);
      info.splitSourceDirs = splits;
      info.splitPublicSourceDirs = splits;
    }
  }

  private static List<String> strings(JsonObject params, String name) {
    List<String> values = new ArrayList<>();
    if (params.has(name)) {
      for (JsonElement value : params.getAsJsonArray(name)) {
        values.add(value.getAsString());
      }
    }
    return values;
  }
}
