import type { UserFs } from '../fs/user-fs.ts';
import type { Node } from './ast.ts';
import { Jobs } from './jobs.ts';
import { Options } from './options.ts';
import { SIGNAL_NAMES, Traps } from './traps.ts';
import { Variables } from './variables.ts';
import type { Hidden } from './variables.ts';

/** Gives the files as a user of the device sees them. */
export type FsFor = (uid: number, umask?: number) => UserFs;

export interface ShellFunction {
  readonly body: Node;
  /** `$0` is its name in it. */
  readonly ownName: boolean;
}

/** A function that is being run. */
export interface Call {
  readonly name: string;
  /** What its `local` variables hide. */
  readonly hidden: Map<string, Hidden>;
}

/** The shell whose process id `$$` is; its subshells know it. */
export interface MainShell {
  /** What happens to it when a signal comes; `inside` says that it sent the signal itself, not one of its subshells. */
  deliver(signal: number, inside: ShellState): void;
  readonly killed: AbortSignal;
}

/** What one shell process knows; a subshell works on a copy. */
export interface ShellState {
  /** `$0`, which begins its messages. */
  name: string;
  /** It runs a script: messages tell the line, which is the one of the command at hand (from 1). */
  readonly script: boolean;
  line: number;
  cwd: string;
  readonly uid: number;
  readonly vars: Variables;
  positional: readonly string[];
  lastStatus: number;
  /** Of the commands of the last pipeline. */
  pipeStatus: readonly number[];
  /** Set by `exit`: nothing more is run. */
  exiting: number | null;
  /** Set with `exiting` by an error that ends a shell, but not one that somebody types into. */
  faulted: boolean;
  /** Loops still to leave or go on with. */
  loop: { readonly kind: 'break' | 'continue'; depth: number } | null;
  /** Loops that are being run. */
  loops: number;
  readonly functions: Map<string, ShellFunction>;
  readonly aliases: Map<string, string>;
  /** The innermost last. */
  calls: Call[];
  /** Set by `return`: the function ends with it. */
  returning: number | null;
  /** Files that are read with `.`: `return` ends them. */
  sourcing: number;
  /** Scripts, files and `eval`s that are being run in one another, those of the shells that started this one too. */
  depth: number;
  readonly options: Options;
  readonly traps: Traps;
  /** Permissions that new files do not get. adbd has none: whatever the shell makes is for all. */
  umask: number;
  /** Conditions that are being looked at: failures in them do not end the shell. */
  tested: number;
  /** Where in a bundle of options `getopts` is, and the OPTIND that it left. */
  optionAt: number;
  optionIndex: string;
  readonly jobs: Jobs;
  readonly pid: number;
  readonly main: MainShell;
  /** By the host's monotonic clock, ms: `$SECONDS`. */
  readonly startedAt: number;
}

const DEFAULT_ENV: readonly (readonly [string, string])[] = [
  ['PATH', '/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/odm/bin:/vendor/bin'],
  ['ANDROID_ROOT', '/system'],
  ['ANDROID_DATA', '/data'],
  ['ANDROID_STORAGE', '/storage'],
  ['EXTERNAL_STORAGE', '/sdcard'],
  ['HOSTNAME', 'jugg'],
  ['TMPDIR', '/data/local/tmp'],
  ['TERM', 'dumb'],
];

/** What a new shell is told by who starts it. */
export interface Start {
  readonly env?: ReadonlyMap<string, string>;
  readonly umask?: number;
  /** `$0` */
  readonly name?: string;
  readonly script?: boolean;
  readonly positional?: readonly string[];
  readonly options?: Options;
  /** Of the shell that starts it. */
  readonly depth?: number;
}

export function newState(uid: number, cwd: string, pid: number, start: Start = {}): ShellState {
  const { env, umask = 0, name = '/system/bin/sh', script = false, positional = [] } = start;
  const vars = new Variables(env ?? DEFAULT_ENV);
  if (!env) {
    const user = uid === 2000 ? 'shell' : `u0_a${uid - 10_000}`;
    for (const [key, value] of Object.entries({
      USER: user,
      LOGNAME: user,
      HOME: '/',
      SHELL: '/system/bin/sh',
    }))
      vars.set(key, value, { exported: true });
  }
  if (!env || script || start.options) vars.set('PWD', cwd, { exported: true });
  vars.set('OPTIND', '1');
  const killed = new AbortController();
  const state: ShellState = {
    name,
    script,
    line: 0,
    cwd,
    uid,
    vars,
    positional,
    lastStatus: 0,
    pipeStatus: [0],
    exiting: null,
    faulted: false,
    loop: null,
    loops: 0,
    functions: new Map(),
    aliases: new Map(),
    calls: [],
    returning: null,
    sourcing: 0,
    depth: start.depth ?? 0,
    options: start.options ?? new Options(),
    traps: new Traps(),
    umask,
    tested: 0,
    optionAt: 0,
    optionIndex: '1',
    jobs: new Jobs(),
    pid,
    main: { deliver, killed: killed.signal },
    startedAt: performance.now(),
  };
  return state;

  function deliver(signal: number, inside: ShellState): void {
    if (state.traps.deliver(SIGNAL_NAMES[signal] ?? '')) return;
    state.exiting ??= 128 + signal;
    if (inside !== state) killed.abort();
  }
}

export function copyState(state: ShellState): ShellState {
  return {
    ...state,
    vars: state.vars.copy(),
    loop: null,
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
    calls: state.calls.map(({ name, hidden }) => ({ name, hidden: new Map(hidden) })),
    returning: null,
    options: state.options.copy(),
    traps: state.traps.forSubshell(),
    jobs: new Jobs(state.jobs),
  };
}

/** How a message of this shell begins. */
export function messagePrefix({ name, script, line }: ShellState): string {
  return script ? `${name}[${line}]: ` : `${name}: `;
}

/** `env -i` starts programs without a PWD; all others have it. */
export function environment(state: ShellState): Map<string, string> {
  const all = state.vars.environment();
  return all.has('PWD') ? all.set('PWD', state.cwd) : all;
}
