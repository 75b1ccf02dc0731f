import { normalize } from '../fs/paths.ts';
import type { ShellPort } from './shell-port.ts';
import { findCommand } from './lookup.ts';
import type { Stdio } from './redirects.ts';
import { testCommand } from './test-command.ts';
import { echo, printf } from './print.ts';

type Builtin = (shell: ShellPort, args: readonly string[], io: Stdio) => Promise<number> | number;

/** Commands that change the shell itself, or that a shell has built in. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [':', () => 0],
  ['true', () => 0],
  ['false', () => 1],
  ['cd', changeFolder],
  ['pwd', async (shell, _args, io) => print(io, `${shell.state.cwd}\n`)],
  ['echo', async (_shell, args, io) => print(io, echo(args))],
  ['printf', printCommand],
  ['exit', exit],
  ['export', exportVariables],
  ['readonly', exportVariables],
  ['local', localVariables],
  ['typeset', localVariables],
  ['return', leaveFunction],
  ['unset', unset],
  ['set', setOptions],
  ['shift', shift],
  ['read', read],
  ['eval', (shell, args, io) => shell.runText(args.join(' '), io)],
  ['exec', exec],
  ['command', commandBuiltin],
  ['type', commandBuiltin],
  ['test', test],
  ['[', test],
  ['wait', wait],
  ['kill', kill],
  ['trap', () => 0],
  ['umask', () => 0],
  ['ulimit', () => 0],
  ['break', (shell, args) => leaveLoop(shell, 'break', args)],
  ['continue', (shell, args) => leaveLoop(shell, 'continue', args)],
]);

async function print(io: Stdio, text: string): Promise<number> {
  return (await io.stdout.write(text)) ? 0 : 1;
}

async function changeFolder(shell: ShellPort, args: readonly string[], io: Stdio): Promise<number> {
  const target = args.find((arg) => arg !== '--') ?? shell.state.vars.get('HOME') ?? '/';
  const path = normalize(target === '-' ? (shell.state.vars.get('OLDPWD') ?? '/') : target, shell.state.cwd);
  const found = await shell.host.fsFor(shell.state.uid).stat(path);
  const problem = found.ok
    ? found.value.kind === 'directory'
      ? null
      : 'Not a directory'
    : 'No such file or directory';
  if (problem) {
    await io.stderr.write(`/system/bin/sh: cd: ${target}: ${problem}\n`);
    return 2;
  }
  shell.state.vars.set('OLDPWD', shell.state.cwd);
  shell.state.cwd = path;
  return 0;
}

async function printCommand(_shell: ShellPort, args: readonly string[], io: Stdio): Promise<number> {
  const [format, ...rest] = args;
  if (format === undefined) {
    await io.stderr.write('printf: usage: printf format [arguments ...]\n');
    return 1;
  }
  return print(io, printf(format, rest));
}

function exit(shell: ShellPort, args: readonly string[]): number {
  const code = args[0] === undefined ? shell.state.lastStatus : Number.parseInt(args[0], 10) & 0xff;
  shell.state.exiting = code;
  return code;
}

function exportVariables(shell: ShellPort, args: readonly string[]): number {
  for (const arg of args) {
    const [name = '', value] = arg.split(/=(.*)/s);
    if (name.startsWith('-')) continue;
    if (value !== undefined) shell.state.vars.set(name, value);
    shell.state.exported.add(name);
  }
  return 0;
}

/** `local name[=value] …`: until the function ends. */
function localVariables(shell: ShellPort, args: readonly string[]): number {
  const call = shell.state.calls.at(-1);
  for (const arg of args) {
    const [name = '', value] = arg.split(/=(.*)/s);
    if (name.startsWith('-')) continue;
    if (call && !call.has(name)) call.set(name, shell.state.vars.get(name));
    if (value !== undefined) shell.state.vars.set(name, value);
    else if (call) shell.state.vars.delete(name);
  }
  return 0;
}

/** `return [n]`: ends the function, or the script where there is none. */
function leaveFunction(shell: ShellPort, args: readonly string[]): number {
  const code = args[0] === undefined ? shell.state.lastStatus : Number.parseInt(args[0], 10) & 0xff;
  if (shell.state.calls.length > 0) shell.state.returning = code;
  else shell.state.exiting = code;
  return code;
}

function unset(shell: ShellPort, args: readonly string[]): number {
  if (args[0] === '-f') {
    for (const name of args.slice(1)) shell.state.functions.delete(name);
    return 0;
  }
  for (const name of args.filter((arg) => arg !== '-v')) {
    shell.state.vars.delete(name);
    shell.state.exported.delete(name);
  }
  return 0;
}

async function setOptions(shell: ShellPort, args: readonly string[], io: Stdio): Promise<number> {
  if (args.length === 0) {
    const lines = [...shell.state.vars].map(([name, value]) => `${name}=${value}\n`).sort();
    return print(io, lines.join(''));
  }
  for (const [index, arg] of args.entries()) {
    if (!/^[-+]/.test(arg)) {
      shell.state.positional = args.slice(index);
      break;
    }
    if (arg === '--') {
      shell.state.positional = args.slice(index + 1);
      break;
    }
    if (arg.includes('e')) shell.state.errexit = arg.startsWith('-');
    if (arg.includes('x')) shell.state.xtrace = arg.startsWith('-');
  }
  return 0;
}

function shift(shell: ShellPort, args: readonly string[]): number {
  const count = args[0] === undefined ? 1 : Number(args[0]);
  if (count > shell.state.positional.length) return 1;
  shell.state.positional = shell.state.positional.slice(count);
  return 0;
}

/** One line of stdin into variables. The rest of the chunk that held it is kept for the next `read`. */
async function read(shell: ShellPort, args: readonly string[], io: Stdio): Promise<number> {
  const names = args.filter((arg) => !arg.startsWith('-'));
  const line = await readLine(io);
  if (line === null) {
    for (const name of names) shell.state.vars.set(name, '');
    return 1;
  }
  const words = line.trim().split(/[ \t]+/);
  for (const [index, name] of names.entries()) {
    const last = index === names.length - 1;
    shell.state.vars.set(name, last ? words.slice(index).join(' ') : (words[index] ?? ''));
  }
  if (names.length === 0) shell.state.vars.set('REPLY', line);
  return 0;
}

const unread = new WeakMap<Stdio['stdin'], string>();

async function readLine(io: Stdio): Promise<string | null> {
  let text = unread.get(io.stdin) ?? '';
  while (!text.includes('\n')) {
    const chunk = await io.stdin.read();
    if (chunk === null) {
      unread.delete(io.stdin);
      return text === '' ? null : text;
    }
    text += chunk.toString('utf8');
  }
  const end = text.indexOf('\n');
  unread.set(io.stdin, text.slice(end + 1));
  return text.slice(0, end);
}

async function exec(shell: ShellPort, args: readonly string[], io: Stdio): Promise<number> {
  if (args.length === 0) return 0;
  const status = await shell.execute(args, io);
  shell.state.exiting ??= status;
  return status;
}

async function commandBuiltin(shell: ShellPort, args: readonly string[], io: Stdio): Promise<number> {
  const [first = '', ...rest] = args;
  if (first !== '-v' && first !== '-V') return shell.execute(args, io);
  const name = rest[0] ?? '';
  if (BUILTINS.has(name) || shell.state.functions.has(name)) return print(io, `${name}\n`);
  const fs = shell.host.fsFor(shell.state.uid);
  const found = await findCommand(name, shell.state, shell.host.commands, fs);
  if (found.kind === 'missing') return 127;
  return print(io, found.kind === 'command' ? `/system/bin/${found.name}\n` : `${name}\n`);
}

async function test(shell: ShellPort, args: readonly string[], io: Stdio): Promise<number> {
  const words = args.at(-1) === ']' ? args.slice(0, -1) : args;
  const result = await testCommand(words, shell.state.cwd, shell.host.fsFor(shell.state.uid));
  if (typeof result === 'boolean') return result ? 0 : 1;
  await io.stderr.write(`/system/bin/sh: ${result.problem}\n`);
  return 2;
}

/** `wait [<pid>…]`: the status is that of the last one. */
async function wait(shell: ShellPort, args: readonly string[]): Promise<number> {
  if (args.length === 0) await shell.state.jobs.waitForAll();
  let status = 0;
  for (const pid of args) status = await shell.state.jobs.waitFor(Number(pid));
  return status;
}

const SIGNALS: Readonly<Record<string, number>> = { HUP: 1, INT: 2, QUIT: 3, KILL: 9, TERM: 15 };

/** `kill [-SIGNAL] <pid>…`, of the shell and its own jobs. */
async function kill(shell: ShellPort, args: readonly string[], io: Stdio): Promise<number> {
  const { jobs } = shell.state;
  const name = /^-(?:SIG)?(\w+)$/.exec(args[0] ?? '')?.[1] ?? 'TERM';
  const signal = SIGNALS[name] ?? (Number(name) || 0);
  let status = 0;
  for (const pid of args.filter((arg) => /^\d+$/.test(arg)).map(Number)) {
    if (pid === shell.state.pid) {
      if (signal !== 0) shell.state.exiting = 128 + signal;
      continue;
    }
    const there = signal === 0 ? jobs.isRunning(pid) : jobs.kill(pid, signal);
    if (there) continue;
    await io.stderr.write(`/system/bin/sh: kill: ${pid}: No such process\n`);
    status = 1;
  }
  return status;
}

function leaveLoop(shell: ShellPort, kind: 'break' | 'continue', args: readonly string[]): number {
  shell.state.loop = { kind, depth: Math.max(1, Number(args[0] ?? 1) || 1) };
  return 0;
}
