import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { processExists } from '../shared/process-exists.ts';

/** A process, and when it began: a pid alone may be used again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot (proc(5), stat field 22); `null` where /proc has none. */
  readonly startTicks: string | null;
}

/** Programs that only start another one for whoever called them, with what makes them such a call. */
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'busybox']);
const PACKAGE_RUNNERS = /(^|[\\/])(npx|npm|pnpm|pnpx|yarn|yarnpkg|bunx|corepack)(-cli)?(\.c?js|\.cmd)?$/;
/** More than this many wrappers around a program are none. */
const MOST_WRAPPERS = 8;

interface ProcEntry extends ProcessIdentity {
  readonly parent: number;
  readonly command: readonly string[];
}

/**
 * The process for which a stdio session works: its parent, or, when that is a wrapper (`npx`, `sh -c`), the one that
 * called the wrapper. A wrapper may end before its caller does.
 */
export async function clientProcess(parent: number): Promise<ProcessIdentity> {
  let known: ProcEntry | undefined = await procEntry(parent);
  if (!known) return { pid: parent, startTicks: null };
  for (let depth = 0; depth < MOST_WRAPPERS && isWrapper(known.command) && known.parent > 1; depth += 1) {
    const caller: ProcEntry | undefined = await procEntry(known.parent);
    if (!caller) break;
    known = caller;
  }
  return { pid: known.pid, startTicks: known.startTicks };
}

/** Whether it is still that process. */
export async function isRunning({ pid, startTicks }: ProcessIdentity): Promise<boolean> {
  if (startTicks === null) return processExists(pid);
  return (await procEntry(pid))?.startTicks === startTicks;
}

export function isWrapper(command: readonly string[]): boolean {
  const [program = '', ...args] = command;
  const name = basename(program).replace(/^-/, '');
  // A shell with nothing to run is where a person types.
  if (SHELLS.has(name)) return args.some((arg) => !arg.startsWith('-'));
  if (name === 'node') return args.slice(0, 1).some((script) => PACKAGE_RUNNERS.test(script));
  // npm writes its process title over the arguments: "npm exec jugg mcp".
  return PACKAGE_RUNNERS.test(program.split(' ')[0] ?? '');
}

/** What Linux knows of a process; `undefined` when there is none, or no /proc. */
async function procEntry(pid: number): Promise<ProcEntry | undefined> {
  try {
    const [stat, commandLine] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    // The name in parentheses may itself hold blanks and parentheses; the fields after it are plain.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    return {
      pid,
      parent: Number(parent),
      startTicks: fields[19] ?? null,
      command: commandLine.split('\0').filter((part) => part !== ''),
    };
  } catch {
    return undefined;
  }
}
