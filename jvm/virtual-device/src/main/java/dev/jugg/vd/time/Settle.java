package dev.jugg.vd.time;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Tells when the screen has come to rest after something was done to it. Used on the main thread only.
 *
 * <p>At rest: the looper is idle and nothing is due within a frame. Animations that only draw (a progress circle, a
 * ripple) would never let that happen, so a tree of views that stays the same for a few frames counts too; messages that
 * are due soon (a click that waits for its delay, a clock that ticks) are given longer to change something.
 *
 * <p>Times alone would lie on a machine so busy that this process hardly runs: each limit also wants the looper to have
 * had its turns.
 */
public final class Settle {
  /** One frame at 60 Hz. */
  private static final long FRAME_MILLIS = 16;

  /**
   * List items are clicked some time after the finger has gone (64 ms and more, see AbsListView): after input, what is
   * due this soon still belongs to it.
   */
  private static final long AFTER_INPUT_MILLIS = 100;

  private static final long SAME_TREE_NANOS = 64_000_000;
  private static final int SAME_TREE_LOOKS = 4;
  /** So many times as long the tree stays the same while messages, not only frames, are due soon. */
  private static final int PATIENCE_WITH_MESSAGES = 3;
  private static final long CAP_NANOS = 2_000_000_000L;
  /** A busy app has some hundred turns in two seconds. */
  private static final int CAP_TURNS = 100;

  private static final long HARD_CAP_NANOS = 10_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private record Waiter(long since, long firstTurn, boolean afterInput, Consumer<Boolean> done) {
    long quietMillis() {
      return afterInput ? AFTER_INPUT_MILLIS : FRAME_MILLIS;
    }
  }

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
    await(false, done);
  }

  /** As {@link #whenSettled}, after an event of a finger or a key. */
  public void whenSettledAfterInput(Consumer<Boolean> done) {
    await(true, done);
  }

  private void await(boolean afterInput, Consumer<Boolean> done) {
    long now = System.nanoTime();
    waiters.add(new Waiter(now, turns, afterInput, done));
    seen(treeSignature.getAsLong(), now);
  }

  /** The looper has messages to run. */
  void busy() {
    turns++;
    if (!waiters.isEmpty()) {
      giveUpOverdue();
    }
  }

  /**
   * The looper has nothing to run until its next message, in {@code messageMillis}, or the next frame, in {@code
   * frameMillis} (-1: there is none).
   */
  void idle(long messageMillis, long frameMillis) {
    turns++;
    if (waiters.isEmpty()) {
      return;
    }
    look();
    long now = System.nanoTime();
    release(true, waiter -> {
      boolean expectsMessage = isSoon(messageMillis, waiter);
      boolean quiet = !expectsMessage && !isSoon(frameMillis, waiter);
      return quiet || sameTreeForLong(waiter, now, expectsMessage ? PATIENCE_WITH_MESSAGES : 1);
    });
    giveUpOverdue();
  }

  /** How long the looper may sleep before {@link #idle} wants to be called again; -1 without limit. */
  long millisToNextLook() {
    return waiters.isEmpty() ? -1 : FRAME_MILLIS;
  }

  private void look() {
    long current = treeSignature.getAsLong();
    if (current == signature) {
      sameLooks++;
    } else {
      seen(current, System.nanoTime());
    }
  }

  private void seen(long newSignature, long now) {
    signature = newSignature;
    sameSince = now;
    sameLooks = 0;
  }

  private static boolean isSoon(long millis, Waiter waiter) {
    return millis >= 0 && millis <= waiter.quietMillis();
  }

  private boolean sameTreeForLong(Waiter waiter, long now, int patience) {
    long wanted =
        patience * Math.max(SAME_TREE_NANOS, (waiter.quietMillis() + FRAME_MILLIS) * NANOS_PER_MILLI);
    return sameLooks >= SAME_TREE_LOOKS && now - sameSince >= wanted;
  }

  private void giveUpOverdue() {
    long now = System.nanoTime();
    release(false, waiter -> {
      long waited = now - waiter.since;
      boolean hadItsTurns = turns - waiter.firstTurn >= CAP_TURNS;
      return (waited >= CAP_NANOS && hadItsTurns) || waited >= HARD_CAP_NANOS;
    });
  }

  /** Those that are done leave the list first: what they call may wait again. */
  private void release(boolean settled, Predicate<Waiter> isDone) {
    List<Waiter> done = new ArrayList<>();
    waiters.removeIf(waiter -> isDone.test(waiter) && done.add(waiter));
    done.forEach(waiter -> waiter.done.accept(settled));
  }
}
