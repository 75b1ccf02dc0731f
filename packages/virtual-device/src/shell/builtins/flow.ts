import { normalize } from '../../fs/paths.ts';
import { strerror } from '../../fs/errno.ts';
import { ShellFault } from '../faults.ts';
import type { ShellPort } from '../shell-port.ts';
import type { Builtin } from './builtin.ts';

function statusOf({ state }: ShellPort, command: string, [arg, more]: readonly string[]): number {
  if (more !== undefined) throw new ShellFault(`${command}: too many arguments`);
  if (arg === undefined) return state.lastStatus;
  if (!/^[-+]?\d+$/.test(arg)) throw new ShellFault(`${command}: bad number: ${arg}`);
  return Number(arg) & 0xff;
}

export const exit: Builtin = (shell, args) => {
  const code = statusOf(shell, 'exit', args);
  shell.state.exiting = code;
  return code;
};

/** `return [n]`: ends the function or the file that `.` reads, or the script where there is neither. */
export const returnCommand: Builtin = (shell, args) => {
  const { state } = shell;
  const code = statusOf(shell, 'return', args);
  if (state.calls.length > 0 || state.sourcing > 0) state.returning = code;
  else state.exiting = code;
  return code;
};

export const evalCommand: Builtin = (shell, args) => shell.runText(args.join(' '));

/** `. file [args]`: runs a file's commands here. */
export const dot: Builtin = async (shell, [file, ...args]) => {
  const { state, host } = shell;
  if (file === undefined) return shell.complain('.: missing argument');
  const text = await host.fsFor(state.uid).readFile(normalize(file, state.cwd));
  if (!text.ok) throw new ShellFault(`.: ${file}: ${strerror(text.errno)}`);
  const { positional } = state;
  if (args.length > 0) state.positional = args;
  state.sourcing++;
  const status = await shell.runText(text.value.toString('utf8'));
  state.sourcing--;
  if (args.length > 0) state.positional = positional;
  const result = state.returning ?? status;
  if (state.calls.length === 0 || state.returning !== null) state.returning = null;
  return result;
};

/** `exec command …`: the shell ends with it. Without one, its redirects stay (see the interpreter). */
export const exec: Builtin = async (shell, args) => {
  const argv = args[0] === '--' ? args.slice(1) : args;
  if (argv.length === 0) return 0;
  const status = await shell.execute(argv);
  shell.state.exiting ??= status;
  return status;
};

export const breakLoop: Builtin = (shell, args) => leaveLoop(shell, 'break', args);
export const continueLoop: Builtin = (shell, args) => leaveLoop(shell, 'continue', args);

async function leaveLoop(
  shell: ShellPort,
  kind: 'break' | 'continue',
  args: readonly string[],
): Promise<number> {
  const { state } = shell;
  const depth = args[0] === undefined ? 1 : Number(args[0]);
  if (!(depth >= 1)) return shell.complain(`${kind}: ${args[0] ?? ''}: bad number`);
  if (state.loops === 0) return shell.complain(`${kind}: can't ${kind}`, 0);
  state.loop = { kind, depth: Math.min(depth, state.loops) };
  return 0;
}
