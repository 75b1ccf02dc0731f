package dev.jugg.vd.instrument;

import android.app.AppComponentFactory;
import android.app.Application;
import android.content.Context;

/** Has the test runner make the application; all else is made as ever. */
public final class RunnerFactory extends AppComponentFactory {
  /** Makes a context of the app. */
  public interface Contexts {
    Context make();
  }

  private final TestRun run;
  private final Contexts contexts;

  public RunnerFactory(TestRun run, Contexts contexts) {
    this.run = run;
    this.contexts = contexts;
  }

  @Override
  public Application instantiateApplication(ClassLoader loader, String className) {
    return AppInstrumentation.newApplication(loader, className, contexts.make(), run);
  }
}
