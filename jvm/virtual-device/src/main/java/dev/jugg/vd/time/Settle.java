package dev.jugg.vd.time;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells when the screen has come to rest after something was done to it. Used on the main thread only.
 *
 * <p>At rest: the looper is idle and nothing is due within a frame. Animations that only draw (a progress circle, a
 * ripple) would never let that happen, so a tree of views that stays the same for a few frames counts too.
 *
 * <p>Times alone would lie on a machine so busy that this process hardly runs: each limit also wants the looper to have
 * had its turns.
 */
public final class Settle {
  /** One frame at 60 Hz. */
  private static final long FRAME_MILLIS = 16;

  private static final long SAME_TREE_NANOS = 64_000_000;
  private static final int SAME_TREE_LOOKS = 4;
  private static final long CAP_NANOS = 2_000_000_000L;
  /** A busy app has some hundred turns in two seconds. */
  private static final int CAP_TURNS = 100;

  private static final long HARD_CAP_NANOS = 10_000_000_000L;

  private record Waiter(long since, long firstTurn, Consumer<Boolean> done) {}

  private final List<Waiter> waiters = new ArrayList<>();
  private LongSupplier treeSignature = () -> 0;
  private long turns;
  private long signature;
  private long sameSince;
  private int sameLooks;

  /** {@code newSignature} answers a number that changes with what the view trees show. */
  public void setTreeSignature(LongSupplier newSignature) {
    treeSignature = newSignature;
  }

  /** Calls {@code done} once, with true when the screen is at rest, with false after two seconds of unrest. */
  public void whenSettled(Consumer<Boolean> done) {
    long now = System.nanoTime();
    waiters.add(new Waiter(now, turns, done));
    seen(treeSignature.getAsLong(), now);
  }

  /** The looper has messages to run. */
  void busy() {
    turns++;
    if (!waiters.isEmpty()) {
      giveUpOverdue();
    }
  }

  /** The looper has nothing to run for {@code nextDueMillis} (-1: nothing at all). */
  void idle(long nextDueMillis) {
    turns++;
    if (waiters.isEmpty()) {
      return;
    }
    if (nextDueMillis < 0 || nextDueMillis > FRAME_MILLIS || sameTreeForLong()) {
      List<Waiter> settled = new ArrayList<>(waiters);
      waiters.clear();
      settled.forEach(waiter -> waiter.done.accept(true));
    } else {
      giveUpOverdue();
    }
  }

  /** How long the looper may sleep before {@link #idle} wants to be called again; -1 without limit. */
  long millisToNextLook() {
    return waiters.isEmpty() ? -1 : FRAME_MILLIS;
  }

  private boolean sameTreeForLong() {
    long now = System.nanoTime();
    long current = treeSignature.getAsLong();
    if (current == signature) {
      sameLooks++;
    } else {
      seen(current, now);
    }
    return sameLooks >= SAME_TREE_LOOKS && now - sameSince >= SAME_TREE_NANOS;
  }

  private void seen(long newSignature, long now) {
    signature = newSignature;
    sameSince = now;
    sameLooks = 0;
  }

  private void giveUpOverdue() {
    long now = System.nanoTime();
    List<Waiter> overdue = new ArrayList<>();
    for (Iterator<Waiter> i = waiters.iterator(); i.hasNext(); ) {
      Waiter waiter = i.next();
      long waited = now - waiter.since;
      boolean hadItsTurns = turns - waiter.firstTurn >= CAP_TURNS;
      if ((waited >= CAP_NANOS && hadItsTurns) || waited >= HARD_CAP_NANOS) {
        overdue.add(waiter);
        i.remove();
      }
    }
    overdue.forEach(waiter -> waiter.done.accept(false));
  }
}
