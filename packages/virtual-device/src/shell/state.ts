import type { UserFs } from '../fs/user-fs.ts';
import type { Node } from './ast.ts';
import { Jobs } from './jobs.ts';

/** Gives the files as a user of the device sees them. */
export type FsFor = (uid: number) => UserFs;

/** What one shell process knows; a subshell works on a copy. */
export interface ShellState {
  cwd: string;
  readonly uid: number;
  readonly vars: Map<string, string>;
  readonly exported: Set<string>;
  positional: readonly string[];
  lastStatus: number;
  /** Set by `exit`: nothing more is run. */
  exiting: number | null;
  /** Loops still to leave or go on with. */
  loop: { readonly kind: 'break' | 'continue'; depth: number } | null;
  readonly functions: Map<string, Node>;
  /** Of the functions that are being run, the innermost last: values of their `local` variables from before. */
  calls: Map<string, string | undefined>[];
  /** Set by `return`: the function ends with it. */
  returning: number | null;
  /** `set -e` */
  errexit: boolean;
  /** Conditions that are being looked at: failures in them do not end the shell. */
  tested: number;
  /** `set -x` */
  xtrace: boolean;
  readonly jobs: Jobs;
  readonly pid: number;
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

export function newState(
  uid: number,
  cwd: string,
  pid: number,
  env?: ReadonlyMap<string, string>,
): ShellState {
  const vars = new Map(env ?? DEFAULT_ENV);
  if (!env) {
    const user = uid === 2000 ? 'shell' : `u0_a${uid - 10_000}`;
    vars.set('USER', user);
    vars.set('LOGNAME', user);
    vars.set('HOME', '/');
    vars.set('SHELL', '/system/bin/sh');
  }
  return {
    cwd,
    uid,
    vars,
    exported: new Set(vars.keys()),
    positional: [],
    lastStatus: 0,
    exiting: null,
    loop: null,
    functions: new Map(),
    calls: [],
    returning: null,
    errexit: false,
    tested: 0,
    xtrace: false,
    jobs: new Jobs(),
    pid,
  };
}

export function copyState(state: ShellState): ShellState {
  return {
    ...state,
    vars: new Map(state.vars),
    exported: new Set(state.exported),
    loop: null,
    functions: new Map(state.functions),
    calls: state.calls.map((call) => new Map(call)),
    returning: null,
    jobs: new Jobs(state.jobs),
  };
}

export function environment(state: ShellState): Map<string, string> {
  const env = new Map<string, string>();
  for (const name of state.exported) {
    const value = state.vars.get(name);
    if (value !== undefined) env.set(name, value);
  }
  env.set('PWD', state.cwd);
  return env;
}
