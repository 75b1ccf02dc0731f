interface Job {
  readonly ended: Promise<number>;
  readonly control: AbortController;
  /** The signal that it was ended by; 0 for none. */
  killedBy: number;
}

/** A tool that hears of this one ends in order, with a status of its own. */
const SIGINT = 2;

/** What a shell has started with `&`. A subshell can end its parent's jobs, and waits for its own only. */
export class Jobs {
  readonly #parent: Jobs | null;
  readonly #running = new Map<number, Job>();
  /** Statuses of those that ended: `wait <pid>` may come late. */
  readonly #statuses = new Map<number, number>();
  /** `$!` */
  last: number | null;

  constructor(parent: Jobs | null = null) {
    this.#parent = parent;
    this.last = parent?.last ?? null;
  }

  /** Runs `work` as a process of that id until it ends, `outer` is aborted or it is killed. */
  start(pid: number, outer: AbortSignal, work: (signal: AbortSignal) => Promise<number>): void {
    const control = new AbortController();
    const working = work(AbortSignal.any([outer, control.signal]));
    this.#running.set(pid, { ended: this.#end(pid, working), control, killedBy: 0 });
    this.last = pid;
  }

  async #end(pid: number, working: Promise<number>): Promise<number> {
    // Nobody may wait for it: what fails here must not end the device. 70 is EX_SOFTWARE of sysexits.h.
    const own = await working.catch(() => 70);
    const signal = this.#running.get(pid)?.killedBy ?? 0;
    const status = signal === 0 || signal === SIGINT ? own : 128 + signal;
    this.#running.delete(pid);
    this.#statuses.set(pid, status);
    return status;
  }

  knows(pid: number): boolean {
    return this.#running.has(pid) || this.#statuses.has(pid) || (this.#parent?.knows(pid) ?? false);
  }

  /** False when it has ended. */
  kill(pid: number, signal: number): boolean {
    const job = this.#running.get(pid);
    if (!job) return this.#parent?.kill(pid, signal) ?? false;
    job.killedBy = signal;
    job.control.abort();
    return true;
  }

  isRunning(pid: number): boolean {
    return this.#running.has(pid) || (this.#parent?.isRunning(pid) ?? false);
  }

  async waitForAll(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** Its exit code; 127 for what is no child of this shell. */
  async waitFor(pid: number): Promise<number> {
    return this.#running.get(pid)?.ended ?? this.#statuses.get(pid) ?? 127;
  }
}
