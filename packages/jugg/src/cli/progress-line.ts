import type { OnProgress } from '../runtime/rpc.ts';

/** Erases the line (ECMA-48 EL) and goes back to its begin. */
const NEW_LINE_CONTENT = '\r\u001B[2K';
const REFRESH_MS = 500;

/** Phase and elapsed time of a job, kept up to date in one line of standard error. */
export class ProgressLine {
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout;
  #said = '';

  constructor() {
    this.#timer = setInterval(() => this.#draw(), REFRESH_MS);
    this.#timer.unref();
  }

  /** `undefined` where nobody looks at a terminal: then progress is not even asked for. */
  static onTerminal(): ProgressLine | undefined {
    return process.stderr.isTTY ? new ProgressLine() : undefined;
  }

  readonly update: OnProgress = (message, percent) => {
    this.#said = percent === null ? message : `${message} ${Math.round(percent)} %`;
    this.#draw();
  };

  end(): void {
    clearInterval(this.#timer);
    if (this.#said !== '') process.stderr.write(NEW_LINE_CONTENT);
  }

  #draw(): void {
    if (this.#said === '') return;
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    process.stderr.write(`${NEW_LINE_CONTENT}${this.#said} … ${seconds} s`);
  }
}
