import type { Clock } from '../shared/clock.ts';

export interface IdleWatch {
  readonly clock: Clock;
  /** How long nobody must have come. */
  readonly idleExitMs: number;
  /** Work that nobody waits for just now counts as use: a build outlives its client's patience. */
  readonly isBusy: () => boolean;
  /** When somebody came last, on that clock. */
  readonly lastUse: () => number;
}

const LONGEST_STEP_MS = 60_000;

/** Resolves when the server has been idle for long enough; never once the signal has fired. */
export async function whenIdle(
  { clock, idleExitMs, isBusy, lastUse }: IdleWatch,
  signal: AbortSignal,
): Promise<void> {
  let busyUntil = clock.now();
  for (;;) {
    await clock.sleep(Math.min(LONGEST_STEP_MS, idleExitMs), signal);
    if (signal.aborted) return new Promise(() => {});
    if (isBusy()) busyUntil = clock.now();
    if (clock.now() - Math.max(busyUntil, lastUse()) >= idleExitMs) return;
  }
}
