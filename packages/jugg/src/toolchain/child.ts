import { execa } from 'execa';
import { access } from 'node:fs/promises';
import { constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ChildOutcome {
  readonly exitCode: number | null;
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

/** Runs a program to its end. Never throws: what went wrong is in the outcome. */
export async function runChild(
  file: string,
  args: readonly string[],
  options: ChildOptions,
): Promise<ChildOutcome> {
  const child = execa(file, args, {
    reject: false,
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
  if (onLine !== undefined) {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', onLine);
    }
  }
  const result = await child;
  return {
    exitCode: result.exitCode ?? null,
    stdout: result.stdout ?? '',
    stderr: result.stderr ?? '',
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
