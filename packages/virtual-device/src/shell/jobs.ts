import { SIGNAL_NAMES } from './traps.ts';

interface Job {
  readonly number: number;
  readonly text: string;
  readonly ended: Promise<number>;
  readonly control: AbortController;
  /** The signal that it was ended by; 0 for none. */
  killedBy: number;
  /** Whether the job sees to a signal itself. */
  readonly deliver: (signal: string) => boolean;
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

  /**
   * Runs `work` as a process of that id until it ends, `outer` is aborted or it is killed. `deliver` says whether the
   * job sees to a signal itself (`trap`).
   */
  start(
    pid: number,
    outer: AbortSignal,
    work: (signal: AbortSignal) => Promise<number>,
    {
      text = '',
      deliver = (): boolean => false,
    }: { text?: string; deliver?: (signal: string) => boolean } = {},
  ): void {
    const control = new AbortController();
    const working = work(AbortSignal.any([outer, control.signal]));
    const number = Math.max(0, ...[...this.#running.values()].map((job) => job.number)) + 1;
    const ended = this.#end(pid, working);
    this.#running.set(pid, { number, text, ended, control, killedBy: 0, deliver });
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

  /** `%1`, `%%`, `%+` to the process id; null when there is none. */
  byNumber(text: string): number | null {
    if (/^%[%+]?$/.test(text)) return this.last;
    const found = [...this.#running].find(([, { number }]) => `%${number}` === text);
    return found?.[0] ?? null;
  }

  /** False when it has ended. */
  kill(pid: number, signal: number): boolean {
    const job = this.#running.get(pid);
    if (!job) return this.#parent?.kill(pid, signal) ?? false;
    if (job.deliver(SIGNAL_NAMES[signal] ?? '')) return true;
    job.killedBy = signal;
    job.control.abort();
    return true;
  }

  isRunning(pid: number): boolean {
    return this.#running.has(pid) || (this.#parent?.isRunning(pid) ?? false);
  }

  /** What `jobs` prints. */
  list(withPids: boolean): string {
    return [...this.#running]
      .map(([pid, { number, text }]) => {
        const mark = pid === this.last ? '+' : '-';
        return `[${number}] ${mark} ${withPids ? `${pid} ` : ''}${'Running'.padEnd(21)}${text}\n`;
      })
      .join('');
  }

  async waitForAll(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    this.#statuses.clear();
  }

  /** Its exit code; 127 for what is no child of this shell. */
  async waitFor(pid: number): Promise<number> {
    const status = await (this.#running.get(pid)?.ended ?? this.#statuses.get(pid) ?? 127);
    this.#statuses.delete(pid);
    return status;
  }
}
