import type { CommandTable } from './command.ts';
import type { Stdio } from './redirects.ts';
import type { FsFor, ShellState } from './state.ts';

/** What all shells of a device share. */
export interface ShellHost {
  readonly commands: CommandTable;
  readonly fsFor: FsFor;
  /** A process id for a shell or command; nobody else's. */
  nextPid(): number;
  /** The device's clock, ms since the epoch. */
  now(): number;
}

/** A shell as its builtins see it. */
export interface ShellPort {
  readonly host: ShellHost;
  readonly state: ShellState;
  readonly signal: AbortSignal;
  /** Runs a script; the value is the exit code. */
  runText(text: string, io: Stdio): Promise<number>;
  /** Runs one command, not a script. */
  execute(argv: readonly string[], io: Stdio): Promise<number>;
}
