import { join } from 'node:path';
import { AppProcess } from './app-process.ts';
import { ClassDataArchive } from './archive.ts';
import { fault } from './calls.ts';
import type { DeviceConfig } from './config.ts';
import { isolationTrouble } from './isolation.ts';
import type { LaunchSpec } from './launch.ts';
import { ARCHIVE_AGE_MS, DEX_AGE_MS, prune, WORK_DIR_AGE_MS } from './prune.ts';
import type { AppProcessPoolPort, AppProcessResult } from './types.ts';

export interface PoolOptions {
  /** How many spare processes wait; each holds some 380 MB. Default 1. */
  readonly spares?: number;
  /** Called with what went wrong in the background (a spare that did not start). */
  readonly onTrouble?: (message: string) => void;
}

/**
 * A new spare takes most of a small machine for seconds: the app that took the last one goes first. This is for one that
 * shows nothing; one that does is followed by the next spare as soon as it has had time to lay out its first screen.
 */
const REFILL_DELAY_MS = 3000;
const FIRST_SCREEN_MS = 250;

type Spare = Promise<AppProcessResult<AppProcess>>;

/** Keeps spare app processes booted, and the class-data archive that makes them boot fast. */
export class AppProcessPool implements AppProcessPoolPort {
  #spec: LaunchSpec;
  readonly #archive: ClassDataArchive;
  readonly #size: number;
  readonly #onTrouble: (message: string) => void;
  readonly #stop = new AbortController();
  /** Oldest first. */
  #spares: Spare[] = [];
  /** Tells one that is being started that somebody waits for it. */
  readonly #wanted = new WeakMap<Spare, AbortController>();
  #refill: NodeJS.Timeout | undefined;
  /** When the refill is due, in the time of `performance.now()`. */
  #refillAt = 0;
  #pruned: Promise<unknown> | undefined;
  #isolated: Promise<void> | undefined;

  constructor(spec: LaunchSpec, options: PoolOptions = {}) {
    this.#spec = spec;
    // The archive's own run starts no app: nothing is hidden from it.
    const { isolation: _none, ...open } = spec;
    this.#archive = new ClassDataArchive(open);
    this.#size = options.spares ?? 1;
    this.#onTrouble = options.onTrouble ?? (() => {});
  }

  /** Starts the spares; `take` does so too. */
  warmUp(): void {
    clearTimeout(this.#refill);
    this.#refill = undefined;
    this.#pruned ??= this.#prune();
    while (!this.#stop.signal.aborted && this.#spares.length < this.#size) this.#addSpare();
  }

  async take(options: { readonly signal?: AbortSignal } = {}): Promise<AppProcessResult<AppProcess>> {
    if (this.#stop.signal.aborted) return fault('CANCELED', 'the pool is closed');
    if (this.#spares.length === 0) this.#addSpare();
    const spare = this.#spares[0];
    if (spare === undefined) return fault('CANCELED', 'the pool is closed');
    this.#wanted.get(spare)?.abort();
    const outcome = await withAbort(spare, options.signal);
    if (outcome === 'aborted') return fault('CANCELED', 'waiting for an app process was canceled');
    const index = this.#spares.indexOf(spare);
    // Somebody else took it while we waited, or the settings changed: the next one.
    if (index < 0) return this.take(options);
    void this.#spares.splice(index, 1);
    this.#refillLater(REFILL_DELAY_MS);
    if (outcome.ok) this.#refillWhenShown(outcome.value);
    return outcome;
  }

  async prepare(apks: readonly string[]): Promise<void> {
    const spare = await this.#spares[0];
    // Large apps take half a minute on a slow machine; nobody waits for it.
    if (spare?.ok) await spare.value.request('prepare', { apks: [...apks] }, { timeoutMs: 300_000 });
  }

  setConfig(config: DeviceConfig): void {
    if (JSON.stringify(config) === JSON.stringify(this.#spec.config)) return;
    this.#spec = { ...this.#spec, config };
    const old = this.#spares;
    this.#spares = [];
    for (const spare of old) void killWhenStarted(spare);
    if (old.length > 0) this.#refillLater(REFILL_DELAY_MS);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#refill);
    const spares = this.#spares;
    this.#spares = [];
    await Promise.all([this.#archive.close(), this.#pruned, ...spares.map(killWhenStarted)]);
  }

  #prune(): Promise<unknown> {
    const { cacheDir } = this.#spec;
    const now = Date.now();
    return Promise.all([
      prune(join(cacheDir, 'processes'), WORK_DIR_AGE_MS, now),
      prune(join(cacheDir, 'cds'), ARCHIVE_AGE_MS, now),
      prune(join(cacheDir, 'dex'), DEX_AGE_MS, now),
    ]);
  }

  /** A time that was set earlier may come nearer, not go further away. */
  #refillLater(delayMs: number): void {
    const at = performance.now() + delayMs;
    if (this.#stop.signal.aborted || (this.#refill && this.#refillAt <= at)) return;
    clearTimeout(this.#refill);
    this.#refillAt = at;
    this.#refill = setTimeout(() => this.warmUp(), delayMs);
    this.#refill.unref();
  }

  #refillWhenShown(taken: AppProcess): void {
    const stop = taken.onEvent((event) => {
      if (event.event !== 'activity' || event.params.state !== 'RESUMED') return;
      stop();
      this.#refillLater(FIRST_SCREEN_MS);
    });
    void taken.exited.then(() => this.#refillLater(0));
  }

  #addSpare(): void {
    const wanted = new AbortController();
    const spare = this.#startSpare(wanted.signal);
    this.#wanted.set(spare, wanted);
    this.#spares.push(spare);
    void this.#watch(spare);
  }

  /** A spare may die while it waits (out of memory): it must not be handed out. */
  async #watch(spare: Spare): Promise<void> {
    const outcome = await spare;
    if (!outcome.ok) {
      // Stays for the next taker, who then hears why.
      if (!this.#stop.signal.aborted) this.#onTrouble(outcome.fault.message);
      return;
    }
    await outcome.value.exited;
    const waiting = this.#spares.length;
    this.#spares = this.#spares.filter((other) => other !== spare);
    if (this.#spares.length < waiting) this.#refillLater(REFILL_DELAY_MS);
  }

  /** Without it, and said so once, where the machine does not allow it. */
  async #allowIsolation(): Promise<void> {
    const { isolation, ...without } = this.#spec;
    const trouble = isolation ? await isolationTrouble(isolation) : null;
    if (trouble === null) return;
    this.#spec = without;
    this.#onTrouble(`app processes see all files of this user: ${trouble}`);
  }

  async #startSpare(wanted: AbortSignal): Spare {
    this.#isolated ??= this.#allowIsolation();
    await this.#isolated;
    const archive = await this.#archive.usable();
    const started = await AppProcess.start(this.#spec, {
      ...(archive && { archive }),
      signal: this.#stop.signal,
      wanted,
    });
    if (started.ok && !(archive && (await this.#archive.check(started.value)))) void this.#archive.make();
    return started;
  }
}

async function killWhenStarted(spare: Spare): Promise<void> {
  const outcome = await spare;
  if (outcome.ok) await outcome.value.kill();
}

async function withAbort<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T | 'aborted'> {
  if (!signal) return promise;
  if (signal.aborted) return 'aborted';
  let onAbort = (): void => {};
  const aborted = new Promise<'aborted'>((resolve) => {
    onAbort = () => resolve('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
