import type { Stdio } from '../descriptors.ts';
import type { ShellPort } from '../shell-port.ts';

/** A command of the shell itself; its value is the exit code. */
export type Builtin = (shell: ShellPort, args: readonly string[], io: Stdio) => Promise<number> | number;

/**
 * The options before the first other argument: letters, and the values of those in `withValue`, joined or apart.
 * `unknown` is the first letter that is neither.
 */
export function leadingOptions(
  args: readonly string[],
  letters: string,
  withValue = '',
): {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly rest: readonly string[];
  readonly unknown: string | null;
} {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  let unknown: string | null = null;
  let at = 0;
  for (; /^[-+]./.test(args[at] ?? '') && args[at] !== '--'; at++) {
    const arg = args[at] ?? '';
    for (let index = 1; index < arg.length; index++) {
      const letter = arg[index] ?? '';
      if (withValue.includes(letter)) {
        values.set(letter, arg.slice(index + 1) || (args[++at] ?? ''));
        break;
      }
      if (!letters.includes(letter)) unknown ??= letter;
      flags.add(arg.startsWith('+') ? `+${letter}` : letter);
    }
  }
  if (args[at] === '--') at++;
  return { flags, values, rest: args.slice(at), unknown };
}
