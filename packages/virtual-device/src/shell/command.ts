import type { ByteSink, ByteSource } from '../io/bytes.ts';
import type { Errno } from '../fs/errno.ts';
import { strerror } from '../fs/errno.ts';
import { normalize } from '../fs/paths.ts';
import type { UserFs } from '../fs/user-fs.ts';

/** Everything a command of the device sees. */
export interface CommandContext {
  /** As it was called: `ls`, `am`. */
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal;
  readonly fs: UserFs;
  readonly cwd: string;
  readonly env: ReadonlyMap<string, string>;
  readonly uid: number;
  /** The device's clock, ms since the epoch. */
  now(): number;
  /** Runs another command in the same surroundings, or in changed ones. */
  run(argv: readonly string[], changes?: Surroundings): Promise<number>;
}

export interface Surroundings {
  readonly stdin?: ByteSource;
  readonly stdout?: ByteSink;
  readonly stderr?: ByteSink;
  readonly signal?: AbortSignal;
  readonly cwd?: string;
  readonly uid?: number;
  readonly env?: ReadonlyMap<string, string>;
}

/** A command; its value is the exit code. */
export type Command = (context: CommandContext) => Promise<number>;

export type CommandTable = ReadonlyMap<string, Command>;

export function pathOf(context: CommandContext, path: string): string {
  return normalize(path, context.cwd);
}

/** Prints `name: message` on stderr; the value is the exit code 1. */
export async function complain(context: CommandContext, message: string, code = 1): Promise<number> {
  await context.stderr.write(`${context.name}: ${message}\n`);
  return code;
}

/** `ls: /x: No such file or directory` */
export function complainFile(context: CommandContext, path: string, errno: Errno): Promise<number> {
  return complain(context, `${path}: ${strerror(errno)}`);
}

export interface Options {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
  /** The first option that is not known, with its dash. */
  readonly unknown: string | null;
}

/**
 * Short options as getopt takes them: bundled flags, values joined or apart, `--` ends them. `withValue` names the
 * options that take one; `longNames` maps `--name` to a letter.
 */
export function parseOptions(
  args: readonly string[],
  flags: string,
  withValue = '',
  longNames: Readonly<Record<string, string>> = {},
): Options {
  const found = new Set<string>();
  const values = new Map<string, string>();
  const rest: string[] = [];
  let unknown: string | null = null;
  let over = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (over || !arg.startsWith('-') || arg === '-') {
      rest.push(arg);
    } else if (arg === '--') over = true;
    else if (arg.startsWith('--')) {
      const [name = '', value] = arg.slice(2).split(/=(.*)/s);
      const letter = longNames[name];
      if (letter === undefined) unknown ??= arg;
      else if (withValue.includes(letter)) values.set(letter, value ?? args[++at] ?? '');
      else found.add(letter);
    } else {
      for (let index = 1; index < arg.length; index++) {
        const letter = arg[index] ?? '';
        if (withValue.includes(letter)) {
          values.set(letter, arg.slice(index + 1) || (args[++at] ?? ''));
          break;
        }
        if (!flags.includes(letter)) unknown ??= `-${letter}`;
        found.add(letter);
      }
    }
  }
  return { flags: found, values, rest, unknown };
}
