package dev.jugg.vd.host;

import dev.jugg.vd.host.dex.DexCache;
import dev.jugg.vd.host.protocol.Channel;
import dev.jugg.vd.host.protocol.LineStream;
import dev.jugg.vd.host.protocol.LogSink;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import org.robolectric.internal.AndroidSandbox;

/** Entry point of an app process: builds the sandbox in which the framework runs and hands over to the device inside. */
public final class Main {
  private static final int INFO = 4;
  private static final int WARN = 5;

  private Main() {}

  public static void main(String[] args) throws Exception {
    long started = System.nanoTime();
    LaunchSettings settings = LaunchSettings.read(Path.of(args[0]));
    PrintStream diagnostics = System.err;
    Channel channel = takeOverStreams();
    DexCache dexCache = new DexCache(settings.dexCacheDir(), settings.frameworkJar(), settings.classJarDir());
    Host host = new Host(settings, channel, dexCache, diagnostics, started);
    // Closing the input is how the daemon ends a process; an archive run ends through exit so that the JVM dumps.
    channel.start(host::dispatch, () -> host.exit(0));
    try {
      runDevice(host, settings);
    } catch (InvocationTargetException e) {
      host.note(e.getCause());
      host.exit(1);
    } catch (Exception | LinkageError e) {
      host.note(e);
      host.exit(1);
    }
  }

  /** Standard output belongs to the protocol; what the app prints goes to the log. */
  private static Channel takeOverStreams() {
    Channel channel = new Channel(
        System.in, new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
    System.setIn(InputStream.nullInputStream());
    System.setOut(LineStream.to(line -> LogSink.write(0, INFO, "System.out", line)));
    System.setErr(LineStream.to(line -> LogSink.write(0, WARN, "System.err", line)));
    return channel;
  }

  private static void runDevice(Host host, LaunchSettings settings) throws Exception {
    System.setProperty("java.awt.headless", "true");
    // The window manager's answer then follows the size and the gravity that a window asks for, as on a device.
    System.setProperty("robolectric.windowManager.useRequestedSize", "true");
    System.setProperty("robolectric.installFakeMediaProvider", "false");
    System.setProperty("robolectric.offline", "true");
    System.setProperty("robolectric.dependency.dir", settings.frameworkJar().getParent().toString());
    if (settings.archiveRun()) {
      SandboxLoader.loadForArchive();
    }
    AndroidSandbox sandbox = SandboxFactory.create(settings.api());
    host.note("sandbox");
    Class<?> device = sandbox.bootstrappedClass(SandboxFactory.load("dev.jugg.vd.Device"));
    Runnable run = (Runnable) device
        .getConstructor(Host.class, Object.class, Object.class)
        .newInstance(host, sandbox.getTestEnvironment(), sandbox.getRobolectricClassLoader());
    sandbox.runOnMainThread(run);
    System.exit(0);
  }
}
