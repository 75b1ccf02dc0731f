import { ShellFault } from '../faults.ts';
import { findCommand } from '../lookup.ts';
import type { ShellPort } from '../shell-port.ts';
import type { Builtin } from './builtin.ts';
import { leadingOptions } from './builtin.ts';
import { print } from './output.ts';

/** The builtins' names; `index.ts` puts them in. */
export const NAMES = new Set<string>();

const RESERVED = new Set(
  'if then else elif fi for while until do done case esac in select function time { } ! [['.split(' '),
);

/** `command name …` and `builtin name …` run it past the functions; `command -v` and `-V` say what it is. */
export const runsCommands: Builtin = async (shell, args, io) => {
  const { flags, rest } = leadingOptions(args, 'vVp');
  if (flags.has('V')) return describe(shell, rest, io);
  if (flags.has('v')) return name(shell, rest, io);
  try {
    return rest.length === 0 ? 0 : await shell.execute(rest);
  } catch (error) {
    // What ends the shell when a special builtin does it does not behind `command` (POSIX 2.8.1).
    if (error instanceof ShellFault) return shell.complain(error.message, error.status);
    throw error;
  }
};

/** `type` and `whence -v` say it in words, `whence` by a name. */
export const findsCommands: Builtin = (shell, args, io) => {
  const { flags, rest } = leadingOptions(args, 'vpa');
  return flags.has('v') || !flags.has('p') ? describe(shell, rest, io) : name(shell, rest, io);
};

type Kind = 'reserved' | 'alias' | 'function' | 'builtin' | 'file' | null;

async function find(shell: ShellPort, what: string): Promise<{ readonly kind: Kind; readonly path: string }> {
  const { state, host } = shell;
  if (RESERVED.has(what)) return { kind: 'reserved', path: what };
  if (state.aliases.has(what)) return { kind: 'alias', path: what };
  if (state.functions.has(what)) return { kind: 'function', path: what };
  if (NAMES.has(what)) return { kind: 'builtin', path: what };
  const found = await findCommand(what, state, host.commands, host.fsFor(state.uid));
  if (found.kind === 'missing') return { kind: null, path: what };
  return { kind: 'file', path: found.kind === 'command' ? `/system/bin/${found.name}` : what };
}

const name: Builtin = async (shell, names, io) => {
  let status = 0;
  for (const each of names) {
    const { kind, path } = await find(shell, each);
    if (kind === null) status = 1;
    else if (kind === 'alias')
      await print(shell, 'command', io, `alias ${each}='${shell.state.aliases.get(each) ?? ''}'\n`);
    else await print(shell, 'command', io, `${path}\n`);
  }
  return status;
};

const describe: Builtin = async (shell, names, io) => {
  let status = 0;
  for (const each of names) {
    const { kind, path } = await find(shell, each);
    if (kind === null) status = 1;
    const texts = {
      reserved: 'is a reserved word',
      alias: `is an alias for '${shell.state.aliases.get(each) ?? ''}'`,
      function: 'is a function',
      builtin: 'is a shell builtin',
      file: `is a tracked alias for ${path}`,
    };
    await print(shell, 'type', io, `${each} ${kind === null ? 'not found' : texts[kind]}\n`);
  }
  return status;
};
