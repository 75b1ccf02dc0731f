import { setTimeout as delay } from 'node:timers/promises';
import { ok, type Result } from '../shared/outcome.ts';
import { ask, Beacon, type BeaconAddress } from './beacon.ts';
import { LockFile } from './lock-file.ts';

const POLL_MS = 25;

/** Something that runs once, whoever starts it. */
export interface SingleStart<T> {
  /** Of the lock among those who start it. */
  readonly lockPath: string;
  /** What runs already. */
  readonly find: () => Promise<T | undefined>;
  readonly start: () => Promise<Result<T>>;
  /** By `performance.now()`. */
  readonly deadlineMs: number;
}

/** Of several processes that start it at once, one does; the others get what it started. `undefined` at the deadline. */
export async function startOnce<T>(what: SingleStart<T>): Promise<Result<T> | undefined> {
  const lock = new LockFile(what.lockPath);
  const beacon = new Beacon();
  try {
    while (performance.now() < what.deadlineMs) {
      const taken = await take(lock, await beacon.address());
      if (taken !== undefined) {
        try {
          const running = await what.find();
          return running === undefined ? await what.start() : ok(running);
        } finally {
          await lock.giveBack(taken);
        }
      }
      // Somebody else starts it just now.
      await delay(POLL_MS);
      const started = await what.find();
      if (started !== undefined) return ok(started);
    }
    return undefined;
  } finally {
    beacon.close();
  }
}

/**
 * The generation of the lock that this process has taken, as the one that starts it now; `undefined` when another does. A
 * starter that was killed leaves its lock; it no longer answers.
 */
async function take(lock: LockFile, own: BeaconAddress): Promise<number | undefined> {
  const standing = await lock.standing();
  const starter = beaconIn(standing.content);
  if (starter && (await ask(starter)) !== 'gone') return undefined;
  return lock.takeAfter(standing, own);
}

function beaconIn(content: unknown): BeaconAddress | undefined {
  if (typeof content !== 'object' || content === null || !('port' in content) || !('word' in content))
    return undefined;
  const { port, word } = content;
  return typeof port === 'number' && typeof word === 'string' ? { port, word } : undefined;
}
