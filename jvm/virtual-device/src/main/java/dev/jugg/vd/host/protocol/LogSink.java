package dev.jugg.vd.host.protocol;

import com.google.gson.JsonObject;

/** Writes {@code log} events; the one way by which text reaches logcat. */
public final class LogSink {
  private static final String PRIORITIES = "??VDIWEF";
  private static final String[] BUFFERS = {"main", "radio", "events", "system", "crash"};
  private static final long PID = ProcessHandle.current().pid();
  private static volatile Channel channel;
  private static volatile Thread mainThread;

  private LogSink() {}

  /** Entries before this are dropped: a spare process belongs to no app whose log it could be. */
  public static void connect(Channel newChannel) {
    channel = newChannel;
  }

  /** The thread whose Linux thread id is the process id, as on every Linux. */
  public static void mainThread(Thread thread) {
    mainThread = thread;
  }

  /** A stable number for the current thread that looks like a Linux thread id. */
  public static long threadId() {
    Thread current = Thread.currentThread();
    return current == mainThread ? PID : PID + current.getId();
  }

  /** {@code priority} and {@code buffer} are the numbers of android.util.Log (2 verbose … 7 assert; 0 main … 4 crash). */
  public static void write(int buffer, int priority, String tag, String message) {
    Channel current = channel;
    if (current == null) {
      return;
    }
    JsonObject entry = new JsonObject();
    entry.addProperty("timeMs", System.currentTimeMillis());
    entry.addProperty("tid", threadId());
    entry.addProperty("priority", String.valueOf(PRIORITIES.charAt(Math.max(2, Math.min(7, priority)))));
    entry.addProperty("tag", tag == null ? "" : tag);
    entry.addProperty("message", message == null ? "null" : message);
    entry.addProperty("buffer", bufferName(buffer));
    current.event("log", entry);
  }

  /** The protocol knows main, system, crash and events; the radio's and other lines go to main. */
  private static String bufferName(int buffer) {
    return buffer < 0 || buffer >= BUFFERS.length || buffer == 1 ? BUFFERS[0] : BUFFERS[buffer];
  }
}
