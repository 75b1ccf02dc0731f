import { normalize } from '../../fs/paths.ts';
import { CLOSED_SINK } from '../descriptors.ts';
import type { Stdio } from '../descriptors.ts';
import { echo, printf, toBytes } from '../print.ts';
import type { ShellPort } from '../shell-port.ts';
import type { Builtin } from './builtin.ts';
import { leadingOptions } from './builtin.ts';

/** Writes to stdout; the value is the exit code. */
export async function print(shell: ShellPort, name: string, io: Stdio, text: string): Promise<number> {
  if (await io.stdout.write(toBytes(text))) return 0;
  if (io.stdout === CLOSED_SINK) return shell.complain(`${name}: write: Bad file descriptor`);
  return 1;
}

export const echoCommand: Builtin = (shell, args, io) => print(shell, 'echo', io, echo(args));

/** Korn's `print [-nr] [-u<fd>] …`. */
export const printCommand: Builtin = async (shell, args, io) => {
  const { flags, values, rest } = leadingOptions(args, 'nreR', 'u');
  const fd = values.get('u');
  const sink = fd === undefined ? io.stdout : shell.descriptors.get(Number(fd))?.sink;
  if (!sink) return shell.complain(`print: -u: ${fd ?? ''}: bad file descriptor`);
  const style = `-${flags.has('n') ? 'n' : ''}${flags.has('r') || flags.has('R') ? 'E' : 'e'}`;
  return print(shell, 'print', { ...io, stdout: sink }, echo([style, ...rest]));
};

export const printfCommand: Builtin = async (shell, args, io) => {
  const [format, ...rest] = args[0] === '--' ? args.slice(1) : args;
  if (format === undefined) {
    await io.stderr.write('printf: usage: printf format [arguments ...]\n');
    return 1;
  }
  const { text, problems } = printf(format, rest);
  const written = await print(shell, 'printf', io, text);
  for (const problem of problems) await io.stderr.write(`printf: ${problem}\n`);
  return problems.length > 0 ? 1 : written;
};

export const changeFolder: Builtin = async (shell, args, io) => {
  const { state, host } = shell;
  const [target = state.vars.get('HOME') ?? '/'] = args[0] === '-' ? args : leadingOptions(args, 'LP').rest;
  const path = normalize(target === '-' ? (state.vars.get('OLDPWD') ?? '/') : target, state.cwd);
  const found = await host.fsFor(state.uid).stat(path);
  if (!found.ok) return shell.complain(`cd: ${target}: No such file or directory`, 2);
  if (found.value.kind !== 'directory') return shell.complain(`cd: ${target}: Not a directory`, 2);
  state.vars.set('OLDPWD', state.cwd);
  state.cwd = path;
  return target === '-' ? print(shell, 'cd', io, `${path}\n`) : 0;
};
