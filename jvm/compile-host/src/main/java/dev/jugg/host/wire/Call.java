package dev.jugg.host.wire;

import dev.jugg.host.HostException;
import java.util.ArrayList;
import java.util.List;

/**
 * One request that is being worked on. It is answered exactly once: by its work, or at once when it is cancelled.
 *
 * <p>Work that writes files calls {@link #commit} before the first of them: from then on a cancel comes too late, so that
 * a cancelled call has never changed anything behind the client's back.
 */
public final class Call {
  private final long id;
  private final Answers answers;
  private final List<Runnable> cancelHooks = new ArrayList<>();
  private boolean canceled;
  private boolean committed;
  private boolean answered;

  public Call(long id, Answers answers) {
    this.id = id;
    this.answers = answers;
  }

  public long id() {
    return id;
  }

  public void log(String line) {
    answers.log(id, line);
  }

  public synchronized boolean isCanceled() {
    return canceled;
  }

  /** Throws the answer to a cancelled call; cheap enough for inner loops. */
  public void check() {
    if (isCanceled()) {
      throw HostException.canceled();
    }
  }

  /** The last chance to be cancelled: throws when it has happened, and makes later cancels ineffective. */
  public synchronized void commit() {
    if (canceled) {
      throw HostException.canceled();
    }
    committed = true;
  }

  /** Runs at once when the call is already cancelled. */
  public void onCancel(Runnable hook) {
    synchronized (this) {
      if (!canceled) {
        cancelHooks.add(hook);
        return;
      }
    }
    hook.run();
  }

  void cancel() {
    List<Runnable> hooks;
    synchronized (this) {
      if (canceled || committed || answered) {
        return;
      }
      canceled = true;
      answered = true;
      hooks = List.copyOf(cancelHooks);
    }
    // The answer comes first: not every compiler stops at once.
    answers.error(id, "CANCELED", HostException.canceled().getMessage(), List.of());
    hooks.forEach(Runnable::run);
  }

  void succeed(Object result) {
    if (claimAnswer()) {
      answers.result(id, result);
    }
  }

  void fail(HostException reason) {
    if (claimAnswer()) {
      answers.error(id, reason.code(), reason.getMessage(), reason.diagnostics());
    }
  }

  private synchronized boolean claimAnswer() {
    boolean mine = !answered;
    answered = true;
    return mine;
  }
}
