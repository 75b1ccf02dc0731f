package dev.jugg.host.javac;

import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import dev.jugg.host.wire.Call;

/** Leaves javac between two steps (a file parsed, a class analysed or generated) when the call is cancelled. */
final class CancelListener implements TaskListener {
  private final Call call;

  CancelListener(Call call) {
    this.call = call;
  }

  @Override
  public void started(TaskEvent event) {
    call.check();
  }

  @Override
  public void finished(TaskEvent event) {
    call.check();
  }
}
