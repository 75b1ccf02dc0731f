import { constants, freemem, setPriority } from 'node:os';
import { makeClassData } from './class-data.ts';
import type { ClassData } from './class-data.ts';
import type { HostProcess } from './host-process.ts';

/** A second JVM is started for the archive only when this much memory is free. */
const TRAINING_BYTES = 2 * 2 ** 30;

/** Writing the archive takes five seconds of processor time, which comes late to a process of the lowest priority. */
const WRITING_MS = 300_000;

export interface Training {
  /** Folder of the archives. */
  readonly folder: string;
  readonly archive: ClassData;
  /** Starts a host that writes down its classes to the given file when it ends. */
  readonly spawn: (make: string) => Promise<HostProcess>;
  /** What the host is to do, so that it loads what it will need. */
  readonly exercise: (host: HostProcess) => Promise<void>;
  /** Time until it begins: the first minutes of a server belong to its user, and what runs for less needs no archive. */
  readonly afterMs: number;
}

/** Makes the class-data archive in the background, once, in a host of the lowest priority. */
export class ArchiveTrainer {
  readonly #training: Training;
  readonly #done: Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #end: () => void = () => {};
  #working: Promise<void> | null = null;
  #trainee: HostProcess | null = null;
  #stopped = false;

  constructor(training: Training) {
    this.#training = training;
    this.#done = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#timer = setTimeout(() => {
      // A full disk, say: the host works without.
      this.#working = this.#make()
        .catch(() => {})
        .then(this.#end);
    }, training.afterMs);
    this.#timer.unref();
  }

  /** Resolves when the archive is made, or will not be. */
  done(): Promise<void> {
    return this.#done;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#trainee?.kill();
    await this.#working;
    this.#end();
  }

  async #make(): Promise<void> {
    if (freemem() < TRAINING_BYTES) return;
    const { archive, folder, spawn, exercise } = this.#training;
    await makeClassData(archive, folder, async (make) => {
      const host = await spawn(make);
      this.#trainee = host;
      if (this.#stopped) host.kill();
      if (host.pid !== undefined) setPriority(host.pid, constants.priority.PRIORITY_LOW);
      await exercise(host);
      return host.close(WRITING_MS);
    });
  }
}
