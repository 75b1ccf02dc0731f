/** What a long piece of work reports while it runs, and how it hears that it should stop. */
export interface WorkContext {
  readonly signal: AbortSignal;
  /** Names the phase that begins now; `percent` is 0..100 of the whole work where that is known. */
  phase(name: string, percent?: number): void;
  /** One line for the log file of the job. */
  log(line: string): void;
}
