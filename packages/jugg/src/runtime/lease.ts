import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { ask, Beacon } from './beacon.ts';
import { LockFile } from './lock-file.ts';

/** A lease that is not renewed for this long, by a holder that does not answer, is over. */
const LEASE_MS = 30_000;
/** How often it is renewed in that time. */
const RENEWALS = 3;
/** One round is enough; more are needed only when many start at the same moment. */
const ROUNDS = 10;

const leaseSchema = z.object({
  projectDir: z.string(),
  pid: z.number(),
  /** Loopback port and word by which the holder proves that it lives. */
  port: z.number(),
  word: z.string(),
  since: z.string(),
  until: z.string(),
});
type LeaseRecord = z.output<typeof leaseSchema>;

/** Who writes to a project now, as another server may know it. */
export interface LeaseHolder {
  readonly pid: number;
  readonly since: string;
  /** Renewed before then as long as the holder lives. */
  readonly until: string;
}

interface Held {
  times: number;
  readonly generation: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Leases on projects among the servers of one user: only who holds a project's lease runs jobs in it. The lease is a lock
 * in the state folder; whether its holder lives is found out by asking it, so a crash frees it at once.
 */
export class Leases {
  readonly #dir: string;
  readonly #now: () => Date;
  readonly #beacon = new Beacon();
  readonly #held = new Map<string, Held>();
  /** Taking and giving back of one project happen one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(stateDir: string, now: () => Date) {
    this.#dir = join(stateDir, 'leases');
    this.#now = now;
  }

  /**
   * `undefined` when the lease is ours, to be given back once for each time it was taken; else who holds it. `onLost` is
   * called when another has taken it, as this process was stopped for too long.
   */
  take(projectDir: string, onLost: () => void): Promise<LeaseHolder | undefined> {
    return this.#inTurn(projectDir, async () => {
      const held = this.#held.get(projectDir);
      if (held) {
        held.times += 1;
        return undefined;
      }
      const since = this.#now().toISOString();
      const own = await this.#record(projectDir, since);
      const lock = this.#lock(projectDir);
      for (let round = 0; round < ROUNDS; round += 1) {
        const standing = await lock.standing();
        const holder = holderIn(standing.content);
        if (holder && holder.word !== own.word && (await this.#holds(holder))) return publicPart(holder);
        const generation = await lock.takeAfter(standing, own);
        if (generation !== undefined) {
          const timer = this.#renewals(projectDir, generation, since, onLost);
          this.#held.set(projectDir, { times: 1, generation, timer });
          return undefined;
        }
      }
      throw new Error('the lease changes hands all the time');
    });
  }

  release(projectDir: string): Promise<void> {
    return this.#inTurn(projectDir, async () => {
      const held = this.#held.get(projectDir);
      if (!held) return;
      held.times -= 1;
      if (held.times === 0) await this.#giveBack(projectDir, held);
    });
  }

  /** Whether another live process of that pid holds the project's lease. */
  async isHeldBy(projectDir: string, pid: number): Promise<boolean> {
    const holder = holderIn((await this.#lock(projectDir).standing()).content);
    return holder?.pid === pid && (await this.#holds(holder));
  }

  async close(): Promise<void> {
    const held = [...this.#held];
    await Promise.all(
      held.map(([projectDir, one]) => this.#inTurn(projectDir, () => this.#giveBack(projectDir, one))),
    );
    this.#beacon.close();
  }

  #inTurn<T>(projectDir: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(projectDir) ?? Promise.resolve()).then(work, work);
    this.#turns.set(projectDir, turn);
    return turn;
  }

  async #giveBack(projectDir: string, { generation, timer }: Held): Promise<void> {
    this.#held.delete(projectDir);
    clearInterval(timer);
    await this.#lock(projectDir).giveBack(generation);
  }

  async #holds(holder: LeaseRecord): Promise<boolean> {
    const state = await ask(holder);
    return state === 'alive' || (state === 'silent' && this.#now() < new Date(holder.until));
  }

  /** Renews it while it is held. Whoever slept beyond its end may have lost it to another. */
  #renewals(projectDir: string, generation: number, since: string, onLost: () => void): NodeJS.Timeout {
    const lock = this.#lock(projectDir);
    const renew = async (): Promise<void> => {
      if (!this.#held.has(projectDir)) return;
      if (await lock.isLast(generation)) {
        await lock.rewrite(generation, await this.#record(projectDir, since));
        return;
      }
      clearInterval(timer);
      this.#held.delete(projectDir);
      onLost();
    };
    // A renewal that fails (a full disk) is tried again; the holder still answers meanwhile.
    const timer = setInterval(
      () => void this.#inTurn(projectDir, renew).catch(() => {}),
      LEASE_MS / RENEWALS,
    );
    timer.unref();
    return timer;
  }

  async #record(projectDir: string, since: string): Promise<LeaseRecord> {
    const until = new Date(this.#now().getTime() + LEASE_MS).toISOString();
    return { projectDir, pid: process.pid, ...(await this.#beacon.address()), since, until };
  }

  #lock(projectDir: string): LockFile {
    return new LockFile(join(this.#dir, createHash('sha256').update(projectDir).digest('hex').slice(0, 24)));
  }
}

function publicPart({ pid, since, until }: LeaseRecord): LeaseHolder {
  return { pid, since, until };
}

function holderIn(content: unknown): LeaseRecord | undefined {
  const parsed = leaseSchema.safeParse(content);
  return parsed.success ? parsed.data : undefined;
}
