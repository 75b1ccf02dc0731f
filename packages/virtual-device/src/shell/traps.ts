/** Linux's signals, by their numbers (`kill -l`). */
export const SIGNAL_NAMES: readonly string[] = [
  'EXIT',
  ...'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU'.split(
    ' ',
  ),
  ...'URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'.split(' '),
];

/** `TERM`, `SIGTERM`, `15` to its number; null for what is none. `EXIT` is 0. */
export function signalNumber(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text) <= 64 ? Number(text) : null;
  const at = SIGNAL_NAMES.indexOf(text.toUpperCase().replace(/^SIG/, ''));
  return at < 0 ? null : at;
}

/** What a shell does when a signal comes, or at its end. */
export class Traps {
  /** By name; the empty one ignores the signal. */
  readonly #actions: Map<string, string>;
  #pending: string[] = [];

  constructor(actions: Iterable<readonly [string, string]> = []) {
    this.#actions = new Map(actions);
  }

  /** A subshell ignores what its parent ignores, and has no other traps. */
  forSubshell(): Traps {
    return new Traps([...this.#actions].filter(([, action]) => action === ''));
  }

  get(name: string): string | undefined {
    return this.#actions.get(name);
  }

  /** Null takes it away. */
  set(name: string, action: string | null): void {
    if (action === null) this.#actions.delete(name);
    else this.#actions.set(name, action);
  }

  /** A signal came; true when the shell sees to it itself. It runs the action before its next command. */
  deliver(name: string): boolean {
    const action = this.#actions.get(name);
    if (action === undefined || name === 'KILL' || name === 'STOP') return false;
    if (action !== '') this.#pending.push(action);
    return true;
  }

  /** The next action to be run. */
  takePending(): string | undefined {
    return this.#pending.shift();
  }

  /** At the end of the shell; it is run once. */
  takeExit(): string | undefined {
    const action = this.#actions.get('EXIT');
    this.#actions.delete('EXIT');
    return action === '' ? undefined : action;
  }

  /** What `trap` prints. */
  list(): string {
    const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
    return [...this.#actions].map(([name, action]) => `trap -- ${quoted(action)} ${name}\n`).join('');
  }
}
