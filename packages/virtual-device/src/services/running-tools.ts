/** A tool that runs on until it is told to stop, as `screenrecord` does. */
export interface RunningTool {
  readonly pid: number;
  readonly name: string;
  /** Lets it end in order, as it does at SIGINT. */
  stop(): void;
}

/** Above the host's largest process id on 64 bit (4 194 304), so that none is an app's. */
const FIRST_PID = 4_194_305;

/** The tools of the shell that others look for by name: `killall -INT screenrecord` is how recordings are ended. */
export class RunningTools {
  readonly #running = new Map<number, RunningTool>();
  #next = FIRST_PID;

  all(): readonly RunningTool[] {
    return [...this.#running.values()];
  }

  /** Runs `work` as a process of that name; its signal is aborted with `outer` or when the process is told to stop. */
  async run<T>(name: string, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const pid = this.#next++;
    const control = new AbortController();
    this.#running.set(pid, { pid, name, stop: () => control.abort() });
    try {
      return await work(AbortSignal.any([outer, control.signal]));
    } finally {
      this.#running.delete(pid);
    }
  }
}
