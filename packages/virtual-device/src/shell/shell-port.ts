import type { Node } from './ast.ts';
import type { CommandTable } from './command.ts';
import type { Descriptors } from './descriptors.ts';
import type { Expander } from './expander.ts';
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

/** A shell as those see it that run a part of it. */
export interface ShellPort {
  readonly host: ShellHost;
  readonly state: ShellState;
  readonly signal: AbortSignal;
  readonly descriptors: Descriptors;
  /** Runs a script as the whole of this shell; the value is the exit code. */
  main(text: string): Promise<number>;
  /** Runs a script as part of this shell; the value is the exit code. */
  runText(text: string): Promise<number>;
  run(node: Node): Promise<number>;
  /** Runs a condition: `set -e` does not look at it. */
  test(node: Node): Promise<number>;
  /** Runs a node in a shell of its own. */
  apart(node: Node): Promise<number>;
  /** Runs one command that is no function, not a script. */
  execute(argv: readonly string[]): Promise<number>;
  /** The end of this shell: what `trap … EXIT` asks for, then its open files. */
  finish(status: number): Promise<number>;
  /** Whether nothing more is to be run here: `exit`, `return`, `break`, or the caller is gone. */
  stopped(): boolean;
  /** Writes a message that begins as those of this shell do; the value is `status`. */
  complain(message: string, status?: number): Promise<number>;
  expander(): Expander;
  /** A new shell, which knows nothing of this one. */
  another(state: ShellState, descriptors: Descriptors, signal?: AbortSignal): ShellPort;
}
