import { SIGNAL_NAMES, signalNumber } from '../traps.ts';
import type { ShellPort } from '../shell-port.ts';
import type { ShellState } from '../state.ts';
import type { Builtin } from './builtin.ts';
import { print } from './output.ts';

/** `wait [<pid>|%<job>…]`: the status is that of the last one. */
export const wait: Builtin = async (shell, args) => {
  const { jobs } = shell.state;
  if (args.length === 0) await jobs.waitForAll();
  let status = 0;
  for (const arg of args) status = await jobs.waitFor(jobs.byNumber(arg) ?? Number(arg));
  return status;
};

/** `jobs [-lp]` */
export const jobs: Builtin = (shell, args, io) =>
  print(shell, 'jobs', io, shell.state.jobs.list(args.includes('-l') || args.includes('-p')));

/** Whether a `kill` is for the shell's own jobs, or itself. */
export function killsOwn({ pid, jobs: own }: ShellState, args: readonly string[]): boolean {
  const targets = args.filter((arg) => !arg.startsWith('-'));
  const isOwn = (target: string): boolean =>
    target.startsWith('%') || Number(target) === pid || own.knows(Number(target));
  return args[0] === '-l' || targets.length === 0 || targets.some(isOwn);
}

/** `kill [-SIGNAL|-s SIGNAL] <pid>|%<job>…` and `kill -l [number]`. Other processes are the device's. */
export const kill: Builtin = async (shell, args, io) => {
  if (args[0] === '-l' || args[0] === '-L') return listSignals(shell, args.slice(1), io);
  const named = args[0] === '-s' || args[0] === '-n';
  const text = named ? (args[1] ?? '') : (/^-(\w+)$/.exec(args[0] ?? '')?.[1] ?? null);
  const signal = text === null ? 15 : signalNumber(text);
  if (signal === null) return shell.complain(`kill: ${text ?? ''}: bad signal`);
  const targets = args.slice(named ? 2 : text === null ? 0 : 1).filter((arg) => arg !== '--');
  if (targets.length === 0)
    return shell.complain('kill: usage: kill [-s signame | -signum | -signame] { job | pid } …');
  let status = 0;
  for (const target of targets) status = (await killOne(shell, target, signal)) || status;
  return status;
};

async function killOne(shell: ShellPort, target: string, signal: number): Promise<number> {
  const { state } = shell;
  const pid = state.jobs.byNumber(target) ?? Number(target);
  if (!Number.isInteger(pid)) return shell.complain(`kill: ${target}: arguments must be jobs or process IDs`);
  if (pid === state.pid) {
    if (signal !== 0) state.main.deliver(signal, state);
    return 0;
  }
  const there = signal === 0 ? state.jobs.isRunning(pid) : state.jobs.kill(pid, signal);
  return there ? 0 : shell.complain(`kill: ${target}: No such process`);
}

const listSignals: Builtin = (shell, args, io) => {
  if (args.length === 0) {
    const lines = SIGNAL_NAMES.slice(1).map(
      (name, index) => `${String(index + 1).padStart(2)} ${name.padStart(6)}\n`,
    );
    return print(shell, 'kill', io, lines.join(''));
  }
  const names = args.map((arg) => {
    const number = signalNumber(arg);
    if (number === null && !/^\d+$/.test(arg)) return null;
    return /^\d+$/.test(arg) ? SIGNAL_NAMES[Number(arg) & 0x7f] : String(number);
  });
  const bad = args.find((_arg, index) => names[index] === null || names[index] === undefined);
  if (bad !== undefined) return shell.complain(`kill: bad number: ${bad}`);
  return print(shell, 'kill', io, names.map((name) => `${name ?? ''}\n`).join(''));
};

/** `trap [action] signal…`: `-` takes it away, the empty one ignores the signal; without arguments, prints them. */
export const trap: Builtin = async (shell, args, io) => {
  const { traps } = shell.state;
  const [first, ...rest] = args[0] === '--' ? args.slice(1) : args;
  if (first === undefined || first === '-p') return print(shell, 'trap', io, traps.list());
  // A number as the first one means that all are to be taken away.
  const reset = first === '-' || /^\d+$/.test(first) || rest.length === 0;
  const names = first === '-' || !reset ? rest : [first, ...rest];
  let status = 0;
  for (const text of names) {
    const number = signalNumber(text);
    const name = ['ERR', 'DEBUG'].includes(text) ? text : number === null ? undefined : SIGNAL_NAMES[number];
    if (name === undefined) status = await shell.complain(`trap: bad signal '${text}'`);
    else traps.set(name, reset ? null : first);
  }
  return status;
};

/** `umask [-S] [mask]`: octal, or `u=rwx,g=,o=`. */
export const umask: Builtin = async (shell, args, io) => {
  const { state } = shell;
  const symbolic = args[0] === '-S';
  const mask = symbolic ? args[1] : args[0];
  if (mask === undefined) {
    const octal = state.umask.toString(8).padStart(3, '0');
    return print(shell, 'umask', io, `${symbolic ? inWords(state.umask) : octal}\n`);
  }
  const value = /^[0-7]{1,4}$/.test(mask) ? Number.parseInt(mask, 8) & 0o777 : fromWords(mask, state.umask);
  if (value === null) return shell.complain(`umask: ${mask}: bad number`);
  state.umask = value;
  return 0;
};

const CLASSES: readonly (readonly [string, number])[] = [
  ['u', 6],
  ['g', 3],
  ['o', 0],
];

function inWords(mask: number): string {
  return CLASSES.map(([name, shift]) => {
    const allowed = 7 & ~(mask >> shift);
    return `${name}=${allowed & 4 ? 'r' : ''}${allowed & 2 ? 'w' : ''}${allowed & 1 ? 'x' : ''}`;
  }).join(',');
}

function fromWords(text: string, mask: number): number | null {
  let allowed = 0o777 & ~mask;
  for (const clause of text.split(',')) {
    const [, who = '', op = '', what = ''] = /^([ugoa]*)([-+=])([rwx]*)$/.exec(clause) ?? [];
    if (op === '') return null;
    const bits = (what.includes('r') ? 4 : 0) | (what.includes('w') ? 2 : 0) | (what.includes('x') ? 1 : 0);
    for (const [name, shift] of CLASSES) {
      if (who !== '' && !who.includes(name) && !who.includes('a')) continue;
      if (op === '=') allowed = (allowed & ~(7 << shift)) | (bits << shift);
      else allowed = op === '+' ? allowed | (bits << shift) : allowed & ~(bits << shift);
    }
  }
  return 0o777 & ~allowed;
}

/** What Android gives an app's shell (`ulimit -a` on a phone); nothing here is limited by them. */
const LIMITS: readonly (readonly [string, string, string])[] = [
  ['t', 'time(cpu-seconds)', 'unlimited'],
  ['f', 'file(blocks)', 'unlimited'],
  ['c', 'coredump(blocks)', '0'],
  ['d', 'data(KiB)', 'unlimited'],
  ['s', 'stack(KiB)', '8192'],
  ['l', 'lockedmem(KiB)', '64'],
  ['n', 'nofiles(descriptors)', '32768'],
  ['p', 'processes', '32768'],
  ['v', 'address-space(KiB)', 'unlimited'],
];

export const ulimit: Builtin = (shell, args, io) => {
  if (args.includes('-a')) {
    const lines = LIMITS.map(([letter, what, value]) => `-${letter}: ${what.padEnd(22)} ${value}\n`);
    return print(shell, 'ulimit', io, lines.join(''));
  }
  const options = args
    .filter((arg) => arg.startsWith('-'))
    .join('')
    .replaceAll(/[-HS]/g, '');
  const limit = LIMITS.find(([letter]) => letter === (options === '' ? 'f' : options));
  if (!limit) return shell.complain(`ulimit: -${options}: unknown option`);
  return args.some((arg) => !arg.startsWith('-')) ? 0 : print(shell, 'ulimit', io, `${limit[2]}\n`);
};
