import type { Clock } from '../../src/shared/clock.ts';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/**
 * A clock that a test plays: time passes only while nothing else happens. Files are real, so before each step it waits
 * until no file operation of this process is under way.
 */
export class VirtualClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      };
      const sleeper = { until: this.#now + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** Plays until `time` (ms, on this clock). */
  async playTo(time: number): Promise<void> {
    for (;;) {
      await quiet();
      const [next] = this.#sleepers.toSorted((a, b) => a.until - b.until);
      if (!next || next.until > time) break;
      this.#now = Math.max(this.#now, next.until);
      next.wake();
    }
    this.#now = Math.max(this.#now, time);
    await quiet();
  }
}

/** What of Node.js ends by itself, in real time, and must have ended before time may go on. */
const UNDER_WAY = /^(FSReq|CloseReq|TCPSocket|TCPConnect)/;
const ROUNDS_OF_REST = 20;

async function quiet(): Promise<void> {
  for (let rest = 0; rest < ROUNDS_OF_REST; rest += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (process.getActiveResourcesInfo().some((name) => UNDER_WAY.test(name))) rest = 0;
  }
}
