package androidx.test.platform.app;

import android.app.Instrumentation;
import android.os.Bundle;

/** Stand-in for the class of androidx.test that Robolectric's set-up calls. */
public final class InstrumentationRegistry {
  private static volatile Instrumentation instrumentation;
  private static volatile Bundle arguments = new Bundle();

  private InstrumentationRegistry() {}

  public static Instrumentation getInstrumentation() {
    Instrumentation current = instrumentation;
    if (current == null) {
      throw new IllegalStateException("No instrumentation registered!");
    }
    return current;
  }

  public static Bundle getArguments() {
    return new Bundle(arguments);
  }

  public static void registerInstance(Instrumentation newInstrumentation, Bundle newArguments) {
    instrumentation = newInstrumentation;
    arguments = new Bundle(newArguments);
  }
}
