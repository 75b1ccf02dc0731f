package dev.jugg.vd;

import android.app.Application;
import android.content.pm.PackageParser;
import com.google.gson.JsonObject;
import dev.jugg.vd.am.ActivityTasks;
import dev.jugg.vd.am.DeviceEvents;
import dev.jugg.vd.binder.RemoteProviders;
import dev.jugg.vd.config.ScreenConfiguration;
import dev.jugg.vd.host.AppLoader;
import dev.jugg.vd.host.Host;
import dev.jugg.vd.host.SandboxLoader;
import dev.jugg.vd.host.dex.DexCache;
import dev.jugg.vd.host.protocol.LogSink;
import dev.jugg.vd.host.protocol.ProtocolException;
import dev.jugg.vd.host.protocol.Request;
import dev.jugg.vd.instrument.TestRun;
import dev.jugg.vd.permission.Permissions;
import dev.jugg.vd.pm.PackageParserShadow;
import dev.jugg.vd.settings.BuildProperties;
import dev.jugg.vd.settings.DeviceSettings;
import dev.jugg.vd.window.ScreenState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.robolectric.RuntimeEnvironment;

/** Makes a spare process the process of an app. */
final class AppBinder {
  private final Host host;
  private final SandboxLoader sandbox;
  private final FrameworkSetup setup;
  private final DeviceEvents events;
  private final List<String> warnings = new ArrayList<>();

  AppBinder(Host host, SandboxLoader sandbox, FrameworkSetup setup, DeviceEvents events) {
    this.host = host;
    this.sandbox = sandbox;
    this.setup = setup;
    this.events = events;
  }

  List<String> warnings() {
    return warnings;
  }

  /**
   * Loads the code and creates the application. A wrong request leaves the process as it was; an app whose own code
   * throws has crashed, which ends the process.
   */
  ActivityTasks bind(Request request, CrashHandler crashes) throws ProtocolException {
    BoundApp app = load(request);
    BoundApp.set(app);
    sandbox.setApp(app.loader());
    Thread.currentThread().setContextClassLoader(app.loader());
    if (request.params().has("config")) {
      JsonObject changes = request.params().getAsJsonObject("config");
      ScreenConfiguration.use(ScreenConfiguration.current().with(changes));
    }
    if (request.params().has("screen")) {
      ScreenState.set(request.params().getAsJsonObject("screen"));
    }
    if (request.params().has("properties")) {
      BuildProperties.apply(request.params().getAsJsonObject("properties"));
    }
    if (request.params().has("settings")) {
      DeviceSettings.restore(request.params().getAsJsonObject("settings"));
    }
    crashes.install();
    LogSink.connect(host.channel());
    try {
      RemoteProviders.connect();
      ActivityTasks tasks = setup.setUp(app.apks().get(0), events);
      if (request.params().has("refusals")) {
        Permissions.restore(request.params().getAsJsonObject("refusals"));
      }
      return tasks;
    } catch (Throwable e) {
      if (!isParsed(app)) {
        host.note(e);
        request.fail("BIND_FAILED", "the APK is not that of " + app.packageName() + ": " + e);
        host.exit(1);
      }
      crashes.uncaughtException(
          Thread.currentThread(), new RuntimeException("Unable to create application " + name() + ": " + e, e));
      throw new ProtocolException("APP_CRASHED", e.toString(), e);
    }
  }

  private BoundApp load(Request request) throws ProtocolException {
    // As on a device: a class of the test package wins over one of the same name in the app.
    TestRun testRun = TestRun.of(request.params());
    List<Path> apks = new ArrayList<>(testRun == null ? List.of() : testRun.apks());
    apks.addAll(BoundApp.apks(request));
    for (Path apk : apks) {
      if (!Files.isRegularFile(apk)) {
        throw new ProtocolException("INVALID_PARAMS", "no such APK: " + apk);
      }
    }
    try {
      DexCache.Code found = host.dexCache().jars(apks);
      warnings.addAll(found.warnings());
      List<Path> code = new ArrayList<>(found.jars());
      if (code.isEmpty()) {
        warnings.add("the APK has no code");
      }
      List<String> lost = host.dexCache().untranslated(code);
      if (!lost.isEmpty()) {
        warnings.add(lost.size() + " methods could not be translated and throw when they are called: " + lost);
      }
      List<String> libraries = nativeLibraries(apks);
      if (!libraries.isEmpty()) {
        warnings.add("the app's native libraries cannot be loaded on the virtual device: " + libraries);
      }
      code.addAll(apks);
      AppLoader loader = new AppLoader(code, sandbox, host.settings().frameworkJar());
      BoundApp app = BoundApp.of(request, loader);
      if (app.withoutResourcesLoader()) {
        loader.hide("android.content.res.loader");
      }
      for (Path dir : List.of(app.dataDir(), app.externalDir(), app.socketDir())) {
        Files.createDirectories(dir);
      }
      return app;
    } catch (IOException | RuntimeException e) {
      throw new ProtocolException("BIND_FAILED", "the APK's code cannot be loaded: " + e.getMessage(), e);
    }
  }

  private static List<String> nativeLibraries(List<Path> apks) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (Path apk : apks) {
      try (ZipFile zip = new ZipFile(apk.toFile())) {
        zip.stream()
            .map(ZipEntry::getName)
            .filter(name -> name.startsWith("lib/") && name.endsWith(".so"))
            .forEach(name -> names.add(name.substring(name.lastIndexOf('/') + 1)));
      }
    }
    return List.copyOf(names);
  }

  /** What goes wrong after its manifest has been read is the app's own doing. */
  private static boolean isParsed(BoundApp app) {
    PackageParser.Package parsed = PackageParserShadow.last();
    return parsed != null && app.packageName().equals(parsed.packageName);
  }

  private static String name() {
    Application application = RuntimeEnvironment.application;
    return application == null ? "" : application.getClass().getName();
  }
}
