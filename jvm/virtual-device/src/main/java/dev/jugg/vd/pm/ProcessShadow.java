package dev.jugg.vd.pm;

import dev.jugg.vd.Device;
import dev.jugg.vd.host.protocol.LogSink;
import java.util.Set;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowProcess;

/** android.os.Process: an app that kills itself is gone, and threads have the numbers that the log shows. */
@Implements(className = "android.os.Process", isInAndroidSdk = false)
public class ProcessShadow extends ShadowProcess {
  private static final int SIGNAL_QUIT = 3;
  /** Ill, trap, abort, bus, floating point, segmentation: debuggerd writes a tombstone for them. */
  private static final Set<Integer> CRASHES = Set.of(4, 5, 6, 7, 8, 11);
  private static final int SIGNALLED = 128;

  @Implementation
  protected static void killProcess(int pid) {
    if (pid == ShadowProcess.myPid()) {
      Device.host().exit(0);
    }
  }

  @Implementation
  protected static void sendSignal(int pid, int signal) {
    if (CRASHES.contains(signal) && pid == ShadowProcess.myPid()) {
      // As a shell tells it; the daemon logs a native crash.
      Device.host().exit(SIGNALLED + signal);
    }
    // The quit signal asks for a dump of stacks; all others that apps send themselves end the process.
    if (signal != SIGNAL_QUIT) {
      killProcess(pid);
    }
  }

  @Implementation
  protected static int myTid() {
    return (int) LogSink.threadId();
  }
}
