import { findCrashes, findDeaths, type Crash } from '../formats/crash.ts';
import type { AppProcess, LogEntry } from './types.ts';

export type StopReason = 'marker' | 'crash' | 'anr' | 'exit' | 'timeout' | 'none';

export interface SeenProcess {
  readonly pid: number;
  readonly name: string;
  state: 'running' | 'died';
  reason: string | null;
}

// ActivityManager (ProcessList.java): "Start proc 123:com.example.shop/u0a1 for pre-top-activity {…}".
const START = /^Start proc (\d+):([^/\s]+)\//;

/** Tags of lines that crashes, ANRs and deaths are known by. */
const TELLS_OF_ENDS: ReadonlySet<string> = new Set([
  'AndroidRuntime',
  'libc',
  'DEBUG',
  'ActivityManager',
  'Zygote',
]);

/**
 * Watches the log for what ends a wait: the marker in a line of the app, a crash or an ANR of the app, the death of its
 * main process. Other processes' deaths are only noted. Lines are fed in their order.
 */
export class LogWatch {
  readonly #packageName: string;
  readonly #marker: ((message: string) => boolean) | null;
  readonly #tags: ReadonlySet<string> | null;
  readonly #processes = new Map<number, SeenProcess>();
  /** Lines of processes that nobody has told us about yet: they may turn out to be the app's. */
  readonly #others: LogEntry[] = [];
  #matched: LogEntry | null = null;
  #crash: Crash | null = null;

  constructor(
    packageName: string,
    marker: ((message: string) => boolean) | null,
    tags: readonly string[] | null,
  ) {
    this.#packageName = packageName;
    this.#marker = marker;
    this.#tags = tags && tags.length > 0 ? new Set(tags) : null;
  }

  /** Processes that the device lists now. */
  know(processes: readonly AppProcess[]): void {
    for (const { pid, name } of processes) this.#know(pid, name);
  }

  feed(entries: readonly LogEntry[]): void {
    for (const entry of entries) this.#feed(entry);
    // Looking reads all lines again; most of what a log holds cannot end anything.
    if (entries.some((entry) => TELLS_OF_ENDS.has(entry.tag))) this.#lookForEnds();
  }

  #feed(entry: LogEntry): void {
    this.#others.push(entry);
    const started = entry.tag === 'ActivityManager' ? START.exec(entry.message) : null;
    if (started) this.#know(Number(started[1]), started[2] ?? '');
    if (this.#matched || !this.#marker) return;
    const isApps = this.#processes.has(entry.pid);
    if (isApps && (!this.#tags || this.#tags.has(entry.tag)) && this.#marker(entry.message))
      this.#matched = entry;
  }

  #know(pid: number, name: string): void {
    if (name !== this.#packageName && !name.startsWith(`${this.#packageName}:`)) return;
    if (this.#processes.has(pid)) return;
    this.#processes.set(pid, { pid, name, state: 'running', reason: null });
    // Lines that came before it was known whose they are count as well.
    if (this.#matched || !this.#marker) return;
    const marker = this.#marker;
    this.#matched =
      this.#others.find(
        (entry) => entry.pid === pid && (!this.#tags || this.#tags.has(entry.tag)) && marker(entry.message),
      ) ?? null;
  }

  #lookForEnds(): void {
    const names = new Map([...this.#processes.values()].map((process) => [process.pid, process.name]));
    for (const crash of findCrashes(this.#others, names)) {
      const owner = crash.process || names.get(crash.pid) || '';
      // A crash names its process: that is how one is known whose start came before the log's first line.
      this.#know(crash.pid, owner);
      const process = this.#processes.get(crash.pid);
      if (!process && owner !== this.#packageName && !owner.startsWith(`${this.#packageName}:`)) continue;
      if (process && crash.kind !== 'anr') this.#died(process, crash.exception);
      if (owner === this.#packageName) this.#crash = crash;
    }
    for (const death of findDeaths(this.#others)) {
      this.#know(death.pid, death.process);
      const process = this.#processes.get(death.pid);
      if (process) this.#died(process, death.reason);
    }
  }

  #died(process: SeenProcess, reason: string | null): void {
    process.state = 'died';
    process.reason ??= reason;
  }

  /** A process that the device no longer lists has died, whatever the log says. */
  gone(running: readonly AppProcess[]): void {
    const alive = new Set(running.map((process) => process.pid));
    for (const process of this.#processes.values()) if (!alive.has(process.pid)) this.#died(process, null);
  }

  /** Why the wait is over now, if it is. The marker wins over a crash that came after it. */
  get stopReason(): Exclude<StopReason, 'timeout' | 'none'> | null {
    if (this.#crash) {
      if (this.#matched && this.#isBefore(this.#matched, this.#crash)) return 'marker';
      return this.#crash.kind === 'anr' ? 'anr' : 'crash';
    }
    if (this.#matched) return 'marker';
    const main = [...this.#processes.values()].filter((process) => process.name === this.#packageName);
    return main.length > 0 && main.every((process) => process.state === 'died') ? 'exit' : null;
  }

  #isBefore(entry: LogEntry, crash: Crash): boolean {
    return entry.timeMs !== null && crash.timeMs !== null && entry.timeMs <= crash.timeMs;
  }

  get matched(): LogEntry | null {
    return this.#matched;
  }

  get crash(): Crash | null {
    return this.#crash;
  }

  get processes(): readonly SeenProcess[] {
    return [...this.#processes.values()];
  }

  /** Lines of the app's processes, narrowed to the tags; lines of its crash stay whatever their tag. */
  get lines(): readonly LogEntry[] {
    return this.#others.filter((entry) => {
      if (!this.#processes.has(entry.pid)) return false;
      return !this.#tags || this.#tags.has(entry.tag) || entry.tag === 'AndroidRuntime';
    });
  }

  /** Everything that was read. */
  get all(): readonly LogEntry[] {
    return this.#others;
  }
}
