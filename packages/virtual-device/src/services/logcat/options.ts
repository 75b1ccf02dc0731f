import { LOG_BUFFERS } from '../../system/logd.ts';
import type { LogBuffer, LogPriority } from '../../system/logd.ts';
import { FORMATS, MODIFIERS } from './format.ts';
import type { LogFormat } from './format.ts';

export interface LogcatOptions {
  readonly buffers: ReadonlySet<LogBuffer>;
  readonly format: LogFormat;
  readonly modifiers: ReadonlySet<string>;
  readonly dump: boolean;
  readonly clear: boolean;
  readonly sizes: boolean;
  readonly dividers: boolean;
  /** Records of liblog instead of text. */
  readonly binary: boolean;
  /** What the buffers shall hold, in bytes. */
  readonly resize: number | null;
  /** Only the newest so many. */
  readonly tail: number | null;
  /** ms since the epoch */
  readonly sinceMs: number | null;
  readonly pid: number | null;
  readonly uids: readonly number[] | null;
  readonly regex: RegExp | null;
  readonly maxCount: number | null;
  /** Lowest priority shown for each tag; `*` for the rest. */
  readonly levels: ReadonlyMap<string, LogPriority | 'S'>;
}

export type ParsedOptions =
  | { readonly ok: true; readonly options: LogcatOptions }
  | { readonly ok: false; readonly message: string };

const WITH_VALUE = new Set([
  '-v',
  '--format',
  '-b',
  '--buffer',
  '-t',
  '-T',
  '-e',
  '--regex',
  '-m',
  '--max-count',
  '--pid',
  '--uid',
  '-G',
  '--buffer-size',
  '-f',
  '-r',
  '-n',
  '-P',
]);
const PRIORITIES = 'VDIWEFS';

/** Options of AOSP logcat.cpp. `now` dates times that come without a year. */
export function parseLogcatOptions(args: readonly string[], now: number): ParsedOptions {
  const values = new Map<string, string[]>();
  const flags = new Set<string>();
  const specs: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const [long = '', joined] = arg.startsWith('--') ? arg.split(/=(.*)/s) : [arg];
    const short = /^-[a-zA-Z]./.test(arg) && WITH_VALUE.has(arg.slice(0, 2)) ? arg.slice(0, 2) : null;
    if (short) push(values, short, arg.slice(2));
    else if (WITH_VALUE.has(long)) push(values, long, joined ?? args[++at] ?? '');
    else if (arg.startsWith('-') && arg.length > 1) for (const flag of split(arg)) flags.add(flag);
    else specs.push(arg);
  }
  const all = (...names: string[]): string[] => names.flatMap((name) => values.get(name) ?? []);
  const one = (...names: string[]): string | null => all(...names).at(-1) ?? null;

  const unknown = [...flags].find((flag) => !KNOWN_FLAGS.has(flag));
  if (unknown !== undefined) return problem(`invalid option -- '${unknown.replace(/^-+/, '')}'`);
  const buffers = new Set<LogBuffer>();
  for (const name of all('-b', '--buffer').flatMap((list) => list.split(','))) {
    if (name === 'all') for (const each of LOG_BUFFERS) buffers.add(each);
    else if (name === 'default') for (const each of DEFAULT_BUFFERS) buffers.add(each);
    else {
      const known = LOG_BUFFERS.find((each) => each === name);
      if (!known) return problem(`unknown buffer ${name}`);
      buffers.add(known);
    }
  }
  let format: LogFormat = 'threadtime';
  const modifiers = new Set<string>();
  for (const word of all('-v', '--format').flatMap((list) => list.split(','))) {
    const known = FORMATS.find((each) => each === word);
    if (known) format = known;
    else if (MODIFIERS.has(word)) modifiers.add(word);
    else return problem(`Invalid parameter "${word}" to -v`);
  }
  const levels = parseSpecs(specs, flags.has('-s'));
  if (!levels) return problem('Invalid filter expression');
  const from = one('-t') ?? one('-T');
  const count = from !== null && /^\d+$/.test(from) ? Number(from) : null;
  const sinceMs = from !== null && count === null ? parseTime(from, now) : null;
  if (from !== null && count === null && sinceMs === null) return problem(`-t "${from}" not in time format`);
  const pattern = one('-e', '--regex');
  const regex = pattern === null ? null : toRegExp(pattern);
  if (pattern !== null && !regex) return problem(`Invalid regex: ${pattern}`);
  const size = one('-G', '--buffer-size');
  const resize = size === null ? null : parseSize(size);
  if (size !== null && resize === null)
    return problem(`-G "${size}" must be a size such as 256K or 4M, at least 64K`);
  const number = (text: string | null): number | null => (text === null ? null : Number(text));
  return {
    ok: true,
    options: {
      buffers: buffers.size > 0 ? buffers : DEFAULT_BUFFERS,
      format,
      modifiers,
      dump: flags.has('-d') || one('-t') !== null,
      clear: flags.has('-c') || flags.has('--clear'),
      sizes: flags.has('-g') || flags.has('--buffer-size'),
      binary: flags.has('-B'),
      resize,
      dividers: flags.has('-D') || flags.has('--dividers'),
      tail: count,
      sinceMs,
      pid: number(one('--pid')),
      uids: one('--uid')?.split(',').map(Number) ?? null,
      regex,
      maxCount: number(one('-m', '--max-count')),
      levels,
    },
  };
}

const DEFAULT_BUFFERS: ReadonlySet<LogBuffer> = new Set(['main', 'system', 'crash']);
const KNOWN_FLAGS = new Set([
  '-d',
  '-c',
  '--clear',
  '-g',
  '-D',
  '--dividers',
  '-s',
  '-S',
  '-L',
  '--last',
  '--print',
  '-B',
  '--buffer-size',
  '--help',
]);

/** `64K`, `1M`, or bytes; logd takes 64 KiB to 256 MiB. */
function parseSize(text: string): number | null {
  const match = /^(\d+)([KMG]?)$/i.exec(text);
  const unit = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[(match?.[2] ?? '').toUpperCase()] ?? 1;
  const size = match ? Number(match[1]) * unit : 0;
  return size >= 65_536 && size <= 268_435_456 ? size : null;
}

function toRegExp(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern);
  } catch {
    return null;
  }
}

function push(values: Map<string, string[]>, name: string, value: string): void {
  values.set(name, [...(values.get(name) ?? []), value]);
}

function split(arg: string): string[] {
  return arg.startsWith('--') ? [arg] : Array.from(arg.slice(1), (letter) => `-${letter}`);
}

function problem(message: string): ParsedOptions {
  return { ok: false, message };
}

function parseSpecs(specs: readonly string[], silent: boolean): Map<string, LogPriority | 'S'> | null {
  const levels = new Map<string, LogPriority | 'S'>();
  if (silent) levels.set('*', 'S');
  for (const spec of specs.flatMap((text) => text.split(/[\s,]+/)).filter((text) => text !== '')) {
    const at = spec.lastIndexOf(':');
    const tag = at < 0 ? spec : spec.slice(0, at);
    const letter = at < 0 ? 'V' : spec.slice(at + 1).toUpperCase();
    if (letter.length !== 1 || (!PRIORITIES.includes(letter) && letter !== '*')) return null;
    levels.set(tag, letter === '*' ? 'V' : toPriority(letter));
  }
  return levels;
}

function toPriority(letter: string): LogPriority | 'S' {
  const found = (['V', 'D', 'I', 'W', 'E', 'F', 'S'] as const).find((each) => each === letter);
  return found ?? 'V';
}

export function isShown(priority: LogPriority, tag: string, levels: LogcatOptions['levels']): boolean {
  const lowest = levels.get(tag) ?? levels.get('*') ?? 'V';
  return PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf(lowest);
}

/** `MM-DD hh:mm:ss.mmm`, with a year before, or seconds since the epoch with a fraction. The time zone is UTC. */
function parseTime(text: string, now: number): number | null {
  if (/^\d+\.\d+$/.test(text)) return Number(text) * 1000;
  const match = /^(?:(\d{4})-)?(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?$/.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '0'] = match;
  const full = year === undefined ? new Date(now).getUTCFullYear() : Number(year);
  const base = Date.UTC(full, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return base + Number(`0.${fraction}`) * 1000;
}
