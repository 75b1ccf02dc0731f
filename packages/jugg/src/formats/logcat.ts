import { logTimeMs } from './log-time.ts';

export type LogLevel = 'V' | 'D' | 'I' | 'W' | 'E' | 'F';

/** One record of the device's log. */
export interface LogEntry {
  /** As printed, without padding; `null` in formats without a time. */
  readonly time: string | null;
  /** Milliseconds since the epoch on the device's clock; `null` where the format does not say it exactly. */
  readonly timeMs: number | null;
  /** Number or short name; only with the `uid` modifier. */
  readonly uid: string | null;
  readonly pid: number;
  readonly tid: number | null;
  readonly level: LogLevel;
  readonly tag: string;
  readonly message: string;
  /** The buffer that the last divider line named. */
  readonly buffer: string | null;
}

export interface LogDivider {
  readonly kind: 'beginning' | 'switch';
  readonly buffer: string;
}

export interface LogcatOutput {
  readonly entries: readonly LogEntry[];
  readonly dividers: readonly LogDivider[];
  /** Lines that fit no known form, as they were. */
  readonly unknown: readonly string[];
}

/** Reads logcat output as it comes; chunks may end anywhere, also inside a character. */
export interface LogcatParser {
  push(chunk: Uint8Array): LogcatOutput;
  /** What is left when the stream has ended. */
  end(): LogcatOutput;
}

// A dot must match all that may stand in one line, U+2028 too.
// system/logging/liblog/logprint.cpp: time, optional zone and uid, pid, tid, level, tag padded to 8, ": ".
const HEAD =
  /^(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+|\d\d-\d\d \d\d:\d\d:\d\d\.\d+|\d+\.\d{3,9})(?: (?<zone>[+-]\d{4}))?\s+(?:(?<uid>\S+)\s+)?(?<pid>\d+)\s+(?<tid>\d+)\s(?<level>[VDIWEF])\s(?<rest>.*)$/s;
const BRIEF = /^(?<level>[VDIWEF])\/(?<tag>.*?)\s*\(\s*(?<pid>\d+)\): ?(?<message>.*)$/s;
const LONG =
  /^\[ (?<time>\S+(?: \d\d:\d\d:\d\d\.\d+)?)(?: (?<zone>[+-]\d{4}))?\s+(?:(?<uid>\S+?):\s*)??(?<pid>\d+):\s*(?<tid>\d+)\s(?<level>[VDIWEF])\/(?<tag>.*?)\s*\]$/;
const TIME =
  /^(?<time>\d\d-\d\d \d\d:\d\d:\d\d\.\d+)\s+(?<level>[VDIWEF])\/(?<tag>.*?)\s*\(\s*(?<pid>\d+)\): ?(?<message>.*)$/s;
const DIVIDER = /^-{9} (beginning of|switch to) (.+)$/;
// oxlint-disable-next-line no-control-regex -- the `color` modifier wraps every line in escape sequences
const COLOR = /\u001b\[[0-9;]*m/g;

type Groups = Readonly<Record<string, string | undefined>>;

function isLevel(text: string | undefined): text is LogLevel {
  return text !== undefined && 'VDIWEF'.includes(text);
}

function entry(groups: Groups, tag: string, message: string, buffer: string | null): LogEntry | null {
  const { level } = groups;
  if (!isLevel(level)) return null;
  const time = groups['time'] ?? null;
  const zone = groups['zone'] ?? null;
  return {
    time: time !== null && zone !== null ? `${time} ${zone}` : time,
    timeMs: time === null ? null : logTimeMs(time, zone),
    uid: groups['uid'] ?? null,
    pid: Number(groups['pid']),
    tid: groups['tid'] === undefined ? null : Number(groups['tid']),
    level,
    tag,
    message,
    buffer,
  };
}

/** The tag is padded to eight characters, so a colon before the ninth belongs to it. */
function splitTag(rest: string): { tag: string; message: string } | null {
  const found = /^(.{8,}?):(?: (.*))?$/s.exec(rest) ?? /^(.*?)\s*:(?: (.*))?$/s.exec(rest);
  return found ? { tag: (found[1] ?? '').trimEnd(), message: found[2] ?? '' } : null;
}

/**
 * Reads all forms of `logcat -v`: threadtime (with year, usec, nsec, epoch, monotonic, zone, uid, color), time, brief
 * and long; the form of each line is recognised, so the caller need not say which it asked for.
 */
export function createLogcatParser(): LogcatParser {
  const decoder = new TextDecoder();
  let carry = '';
  let buffer: string | null = null;
  let long: { groups: Groups; lines: string[] } | null = null;

  function read(text: string, last: boolean): LogcatOutput {
    const entries: LogEntry[] = [];
    const dividers: LogDivider[] = [];
    const unknown: string[] = [];
    const add = (found: LogEntry | null): void => {
      if (found) entries.push(found);
    };
    const endLong = (): void => {
      if (!long) return;
      add(entry(long.groups, long.groups['tag'] ?? '', long.lines.join('\n').replace(/\n+$/, ''), buffer));
      long = null;
    };
    const lines = (carry + text).split('\n');
    carry = last ? '' : (lines.pop() ?? '');
    for (const raw of lines) {
      const line = raw.replace(COLOR, '').replace(/\r$/, '');
      const start = LONG.exec(line);
      if (start?.groups) {
        endLong();
        long = { groups: start.groups, lines: [] };
        continue;
      }
      const divider = DIVIDER.exec(line);
      if (divider) {
        endLong();
        buffer = divider[2] ?? null;
        dividers.push({
          kind: divider[1] === 'beginning of' ? 'beginning' : 'switch',
          buffer: buffer ?? '',
        });
        continue;
      }
      if (long) {
        // An empty line ends a record of the long form, but may as well be part of its message: the next header tells.
        long.lines.push(line);
        continue;
      }
      if (line === '') continue;
      const head = HEAD.exec(line.trimStart());
      const tagged = head?.groups ? splitTag(head.groups['rest'] ?? '') : null;
      const plain = tagged ? null : (BRIEF.exec(line) ?? TIME.exec(line));
      if (head?.groups && tagged) add(entry(head.groups, tagged.tag, tagged.message, buffer));
      else if (plain?.groups)
        add(entry(plain.groups, plain.groups['tag'] ?? '', plain.groups['message'] ?? '', buffer));
      else unknown.push(line);
    }
    if (last) endLong();
    return { entries, dividers, unknown };
  }

  return {
    push: (chunk) => read(decoder.decode(chunk, { stream: true }), false),
    end: () => read(decoder.decode(), true),
  };
}

/** Reads a whole output at once. */
export function parseLogcat(text: string): LogcatOutput {
  const parser = createLogcatParser();
  const first = parser.push(new TextEncoder().encode(text));
  const rest = parser.end();
  return {
    entries: [...first.entries, ...rest.entries],
    dividers: [...first.dividers, ...rest.dividers],
    unknown: [...first.unknown, ...rest.unknown],
  };
}

/** Lines that the log daemon dropped as repeats or because the app logged too much (`chatty`, until Android 11). */
export function hiddenLines(entries: readonly LogEntry[]): number {
  let count = 0;
  for (const { tag, message } of entries) {
    const found = tag === 'chatty' ? /\b(?:identical|expire) (\d+) lines?$/.exec(message) : null;
    if (found) count += Number(found[1]);
  }
  return count;
}

/** Whether the end of a logcat process means that lines are missing and that it must be started again. */
export function logcatEnd(stderr: string): { readonly gap: boolean } {
  return { gap: /unexpected EOF/i.test(stderr) };
}
