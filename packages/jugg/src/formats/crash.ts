import type { LogEntry } from './logcat.ts';

/** A crash as the log tells it: Java (uncaught exception), native (fatal signal) or ANR. */
export interface Crash {
  readonly kind: 'java' | 'native' | 'anr';
  readonly process: string;
  readonly pid: number;
  /** Class of the exception; name of the signal; `ANR`. */
  readonly exception: string;
  readonly message: string | null;
  /** The stack as printed, without indent; causes included. */
  readonly stack: readonly string[];
  readonly timeMs: number | null;
}

const PROCESS = /^Process: (.+?), PID: (\d+)/;
const FATAL = /^(?:\*{3} )?FATAL EXCEPTION(?: IN SYSTEM PROCESS)?: /;
const EXCEPTION = /^([\w$]+(?:\.[\w$]+)*)(?:: ([\s\S]*))?$/;

/** One message a line: apps before Android 5 and other tools log the whole stack as one message with line feeds. */
function lines(entries: readonly LogEntry[]): string[] {
  return entries.flatMap((entry) => entry.message.split('\n'));
}

function javaCrash(group: readonly LogEntry[], names: ReadonlyMap<number, string>): Crash | null {
  const first = group[0];
  if (!first) return null;
  let process = names.get(first.pid) ?? '';
  const body: string[] = [];
  for (const line of lines(group).slice(1)) {
    const named = PROCESS.exec(line);
    if (named && body.length === 0) process = named[1] ?? process;
    else body.push(line);
  }
  const headEnd = body.findIndex((line) => /^\s+at |^Caused by: /.test(line));
  const head = (headEnd < 0 ? body : body.slice(0, headEnd)).join('\n');
  const named = EXCEPTION.exec(head);
  if (!named) return null;
  return {
    kind: 'java',
    process,
    pid: first.pid,
    exception: named[1] ?? '',
    message: named[2] ?? null,
    stack: headEnd < 0 ? [] : body.slice(headEnd).map((line) => line.trim()),
    timeMs: first.timeMs,
  };
}

// bionic/linker/debuggerd: "Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0 in tid 1 (name), pid 1 (process)".
const SIGNAL =
  /^Fatal signal \d+ \((SIG\w+)\)(.*?)(?: in tid \d+(?: \(.*?\))?(?:, pid (\d+)(?: \((.+?)\))?)?)?$/;
const TOMBSTONE = /^pid: (\d+), tid: \d+, name: .*? {1,2}>>> (.+?) <<<$/;
// ActivityManager: "ANR in com.example.shop (com.example.shop/.MainActivity)", then "PID: 123", "Reason: …".
const ANR = /^ANR in (\S+)/;

/**
 * Finds crashes in log entries in their order. Lines of one crash share process and thread and follow each other, so
 * lines of other processes in between do no harm. A crash that is still being printed is found as far as it goes.
 * `names` gives process names by id for devices whose log does not name the process.
 */
export function findCrashes(
  entries: readonly LogEntry[],
  names: ReadonlyMap<number, string> = new Map(),
): Crash[] {
  const crashes: Crash[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.tag === 'AndroidRuntime' && entry.level === 'E' && FATAL.test(entry.message)) {
      const group = [entry];
      for (const next of entries.slice(index + 1)) {
        if (next.pid !== entry.pid || next.tid !== entry.tid || next.tag !== 'AndroidRuntime') continue;
        if (FATAL.test(next.message)) break;
        group.push(next);
      }
      const found = javaCrash(group, names);
      if (found) crashes.push(found);
      continue;
    }
    const signal = entry.level === 'F' && entry.tag === 'libc' ? SIGNAL.exec(entry.message) : null;
    if (signal) crashes.push(nativeCrash(entry, signal, entries.slice(index + 1), names));
    const anr = entry.tag === 'ActivityManager' ? ANR.exec(entry.message) : null;
    if (anr) crashes.push(anrOf(entry, anr[1] ?? '', entries.slice(index)));
  }
  return crashes;
}

function nativeCrash(
  entry: LogEntry,
  signal: RegExpExecArray,
  after: readonly LogEntry[],
  names: ReadonlyMap<number, string>,
): Crash {
  const pid = signal[3] === undefined ? entry.pid : Number(signal[3]);
  const dump = after.filter((next) => next.tag === 'DEBUG').flatMap((next) => next.message.split('\n'));
  const owner = dump.map((line) => TOMBSTONE.exec(line)).find((found) => Number(found?.[1]) === pid);
  const cut = signal[2]?.replace(/^, /, '').trim();
  return {
    kind: 'native',
    // The kernel cuts names to 15 characters in the libc line; the tombstone has the whole one.
    process: owner?.[2] ?? names.get(pid) ?? signal[4] ?? '',
    pid,
    exception: signal[1] ?? '',
    message: cut || null,
    stack: dump.map((line) => line.trim()).filter((line) => /^#\d+ pc /.test(line)),
    timeMs: entry.timeMs,
  };
}

function anrOf(entry: LogEntry, process: string, from: readonly LogEntry[]): Crash {
  const text = from
    .filter((next) => next.pid === entry.pid && next.tag === 'ActivityManager')
    .slice(0, 12)
    .flatMap((next) => next.message.split('\n'));
  const pid = text.map((line) => /^PID: (\d+)/.exec(line)?.[1]).find((found) => found !== undefined);
  const reason = text.map((line) => /^Reason: (.*)/.exec(line)?.[1]).find((found) => found !== undefined);
  return {
    kind: 'anr',
    process,
    pid: Number(pid ?? 0),
    exception: 'ANR',
    message: reason ?? null,
    stack: [],
    timeMs: entry.timeMs,
  };
}

export interface ProcessDeath {
  readonly pid: number;
  readonly process: string;
  /** As printed: `fg  TOP`, `user request after error`, … */
  readonly reason: string | null;
}

// ActivityManager: "Process com.example.shop (pid 123) has died: fg  TOP", "Killing 123:com.example.shop/u0a1 (adj 0): stop …";
// Zygote: "Process 123 exited due to signal 9 (Killed)", "Process 123 exited cleanly (1)".
const DEATHS: readonly { readonly tag: string; readonly form: RegExp }[] = [
  {
    tag: 'ActivityManager',
    form: /^Process (?<process>\S+) \(pid (?<pid>\d+)\) has died(?:[:.] ?(?<reason>.*))?$/,
  },
  {
    tag: 'ActivityManager',
    form: /^Killing (?<pid>\d+):(?<process>[^/\s]+)\/\S+ \(adj -?\d+\): (?<reason>.*)$/,
  },
  { tag: 'Zygote', form: /^Process (?<pid>\d+) exited (?<reason>.*)$/ },
];

/** Deaths of processes as the system's log tells them, in order; a process may be told of more than once. */
export function findDeaths(entries: readonly LogEntry[]): ProcessDeath[] {
  const deaths: ProcessDeath[] = [];
  for (const entry of entries) {
    for (const { tag, form } of DEATHS) {
      if (entry.tag !== tag) continue;
      const found = form.exec(entry.message)?.groups;
      if (!found) continue;
      deaths.push({
        pid: Number(found['pid']),
        process: found['process'] ?? '',
        reason: found['reason']?.trim() || null,
      });
    }
  }
  return deaths;
}
