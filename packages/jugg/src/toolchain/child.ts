import { execa } from 'execa';
import { access } from 'node:fs/promises';
import { constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ChildOutcome {
  readonly exitCode: number | null;
  /** Both outputs: their first and last part when they are longer than is worth keeping. */
  readonly stdout: string;
  readonly stderr: string;
  readonly canceled: boolean;
  /** Why the process could not be started at all. */
  readonly startFailure: string | null;
}

export interface ChildOptions {
  readonly signal: AbortSignal;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Each line of both outputs as it comes. */
  readonly onLine?: (line: string) => void;
}

/** Characters kept of each end of each output; all of it goes through `onLine`. */
const KEPT_CHARS = 500_000;

/** Keeps both ends of a text of any length, so that a program that prints without end neither blocks nor fills memory. */
class BothEnds {
  #head = '';
  #tail = '';
  #length = 0;

  add(text: string): void {
    const room = KEPT_CHARS - this.#head.length;
    this.#length += text.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(Math.max(0, room));
    if (this.#tail.length > 2 * KEPT_CHARS) this.#tail = this.#tail.slice(-KEPT_CHARS);
  }

  get text(): string {
    const tail = this.#tail.slice(-KEPT_CHARS);
    const left = this.#length - this.#head.length - tail.length;
    return left > 0 ? `${this.#head}\n… ${left} characters left out …\n${tail}` : this.#head + tail;
  }
}

/** Runs a program to its end. Never throws: what went wrong is in the outcome. */
export async function runChild(
  file: string,
  args: readonly string[],
  options: ChildOptions,
): Promise<ChildOutcome> {
  const child = execa(file, args, {
    reject: false,
    buffer: false,
    cancelSignal: options.signal,
    stdin: options.input === undefined ? 'ignore' : 'pipe',
    extendEnv: options.env === undefined,
    ...(options.input === undefined ? {} : { input: options.input }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
    // A program that ignores the request to end is ended after this time.
    forceKillAfterDelay: 2000,
  });
  const { onLine } = options;
  const kept = [child.stdout, child.stderr].map((stream) => {
    const ends = new BothEnds();
    stream.setEncoding('utf8').on('data', (text: string) => ends.add(text));
    if (onLine !== undefined) createInterface({ input: stream }).on('line', onLine);
    return ends;
  });
  const result = await child;
  return {
    exitCode: result.exitCode ?? null,
    stdout: kept[0]?.text.trimEnd() ?? '',
    stderr: kept[1]?.text.trimEnd() ?? '',
    canceled: result.isCanceled,
    startFailure: result.exitCode === undefined && !result.isCanceled ? (result.shortMessage ?? null) : null,
  };
}

/** Absolute path of a program on the path; on Windows also `.cmd` and `.exe`. */
export async function onPath(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<string | null> {
  const suffixes = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of (env['PATH'] ?? env['Path'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    for (const suffix of suffixes) {
      const path = join(folder, name + suffix);
      const runs = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (runs) return path;
    }
  }
  return null;
}
