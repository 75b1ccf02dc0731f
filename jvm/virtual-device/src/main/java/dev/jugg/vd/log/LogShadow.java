package dev.jugg.vd.log;

import android.util.Log;
import dev.jugg.vd.host.protocol.LogSink;
import java.util.Set;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** android.util.Log runs its real code down to the native call, which becomes one log event. */
@Implements(className = "android.util.Log", isInAndroidSdk = false)
public class LogShadow {
  /** Framework complaints about this device (no overlay partitions, no GPU) that no app can do anything about. */
  private static final Set<String> ABOUT_THE_DEVICE = Set.of("OverlayConfig", "RippleDrawable");

  @Implementation
  protected static boolean isLoggable(String tag, int level) {
    return level >= Log.INFO;
  }

  /** Of Linux's logger, LOGGER_ENTRY_MAX_PAYLOAD: the framework breaks longer texts. */
  @Implementation
  protected static int logger_entry_max_payload_native() {
    return 4068;
  }

  @Implementation
  protected static int println_native(int buffer, int priority, String tag, String message) {
    if (tag == null || !ABOUT_THE_DEVICE.contains(tag)) {
      LogSink.write(buffer, priority, tag, message);
    }
    return message == null ? 0 : message.length();
  }

  @Implementation
  protected static int printlns(int buffer, int priority, String tag, String message, Throwable error) {
    StackTraces.clean(error);
    return Shadow.directlyOn(
        Log.class,
        "printlns",
        ClassParameter.from(int.class, buffer),
        ClassParameter.from(int.class, priority),
        ClassParameter.from(String.class, tag),
        ClassParameter.from(String.class, message),
        ClassParameter.from(Throwable.class, error));
  }

  @Implementation
  protected static String getStackTraceString(Throwable error) {
    StackTraces.clean(error);
    return Shadow.directlyOn(Log.class, "getStackTraceString", ClassParameter.from(Throwable.class, error));
  }
}
