import { crashSummary } from '../formats/crash-summary.ts';
import { findCrashes, type Crash } from '../formats/crash.ts';
import { systemClock, type Clock } from '../shared/clock.ts';
import type { ErrorCode } from '../shared/errors.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { Device } from './types.ts';

/** Contract §2, "App online". */
const POLL_MS = 100;
const LIMIT_MS = 10_000;
/** For a process that is not there and that nobody has just started, waiting longer cannot help. */
const ABSENT_LIMIT_MS = 3_000;
const FRESH_START_MS = 10_000;
/** Reading the log costs more than a poll: look for a crash only every so many polls. */
const CRASH_EVERY = 4;

/** What can pass by itself while an app starts; every other fault ends the wait at once. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['APP_NOT_RUNNING', 'TIMEOUT', 'UI_NOT_IDLE']);

export interface OnlineOptions {
  /** When Jugg last started the app, on this machine's clock; `null` for never. */
  readonly startedByUsAtMs: number | null;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Waits until the app's main process is there and its inspector answers.
 * `APP_NOT_INSTALLED` and `APP_CRASHED` (`data.crash`) at once, `APP_NOT_RUNNING` after 3 s, or 10 s after a start.
 */
export async function waitUntilOnline(
  device: Device,
  packageName: string,
  { startedByUsAtMs, signal, clock = systemClock }: OnlineOptions,
): Promise<Result<{ readonly pid: number }>> {
  const began = clock.now();
  const fresh = startedByUsAtMs !== null && began - startedByUsAtMs < FRESH_START_MS;
  const sinceHostMs = fresh ? startedByUsAtMs : began;
  for (let poll = 0; ; poll += 1) {
    const alive = await device.ping(packageName, signal);
    if (alive.ok) return ok({ pid: alive.value.pid });
    if (!PASSING.has(alive.fault.code)) return alive;
    if (poll === 0) {
      const app = await device.app(packageName, signal);
      if (!app.ok) return app;
      if (!app.value) return fail('APP_NOT_INSTALLED', `${packageName} is not installed. Call deploy first.`);
    }
    const spent = clock.now() - began;
    const absent = alive.fault.code === 'APP_NOT_RUNNING';
    const over = spent >= (absent && !fresh ? ABSENT_LIMIT_MS : LIMIT_MS);
    if (over || (absent && poll % CRASH_EVERY === CRASH_EVERY - 1)) {
      const crash = await recentCrash(device, packageName, clock.now() - sinceHostMs + 1000, signal);
      if (crash) return crashed(packageName, crash);
      if (over) return absent ? notRunning(packageName, spent) : alive;
    }
    await clock.sleep(POLL_MS, signal);
    if (signal.aborted) return fail('CANCELED', `Waiting for ${packageName} was canceled.`);
  }
}

function notRunning(packageName: string, spentMs: number): Result<never> {
  return fail(
    'APP_NOT_RUNNING',
    `${packageName} does not run (waited ${spentMs} ms). Call restart or deploy.`,
    {
      data: { waitedMs: spentMs },
    },
  );
}

/** `APP_CRASHED` with the crash in `data.crash` and its cause in the message. */
export function crashed(packageName: string, crash: Crash): Result<never> {
  const { exception, message, stack, process } = crash;
  return fail('APP_CRASHED', `${packageName} crashed: ${crashSummary(crash)}`, {
    data: { crash: { exception, message, stack: stack.slice(0, 30), process } },
  });
}

/** The last crash of the package's main process within the last `backMs`, by the log; `null` also when unreadable. */
export async function recentCrash(
  device: Device,
  packageName: string,
  backMs: number,
  signal: AbortSignal,
): Promise<Crash | null> {
  const now = await device.now(signal);
  if (!now.ok) return null;
  const logs = await device.logs({ sinceMs: now.value - backMs }, signal);
  if (!logs.ok) return null;
  return findCrashes(logs.value).findLast((crash) => crash.process === packageName) ?? null;
}
