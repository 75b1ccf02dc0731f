import type { LogEntry } from '../../system/logd.ts';
import { uidName } from '../../fs/layout.ts';

export const FORMATS = ['brief', 'process', 'tag', 'thread', 'raw', 'time', 'threadtime', 'long'] as const;
export type LogFormat = (typeof FORMATS)[number];

/** Words of `-v` that change a format; those that change nothing here are taken as well. */
export const MODIFIERS: ReadonlySet<string> = new Set([
  'year',
  'usec',
  'nsec',
  'epoch',
  'UTC',
  'zone',
  'uid',
  'printable',
  'color',
  'colour',
  'descriptive',
  'monotonic',
]);

/** One entry as logcat prints it, with its line ends (AOSP liblog/logprint.cpp `android_log_formatLogLine`). */
export function formatEntry(entry: LogEntry, format: LogFormat, modifiers: ReadonlySet<string>): string {
  const { priority, tag, pid, tid } = entry;
  const time = timeText(entry.timeMs, modifiers);
  const name = tag.padEnd(8);
  const id = (number: number): string => String(number).padStart(5);
  // In threadtime the uid is a column, in other formats it stands before the pid with a colon.
  const uid = modifiers.has('uid') ? uidText(entry.uid) : null;
  const owner = uid === null ? '' : `${uid}:`;
  const lines = entry.message.replace(/\n+$/, '').split('\n');
  const each = (prefix: string, suffix = ''): string =>
    lines.map((line) => `${prefix}${line}${suffix}\n`).join('');
  switch (format) {
    case 'raw':
      return each('');
    case 'tag':
      return each(`${priority}/${name}: `);
    case 'process':
      return each(`${priority}(${owner}${id(pid)}) `, `  (${tag})`);
    case 'thread':
      return each(`${priority}(${owner}${id(pid)}:${id(tid)}) `);
    case 'brief':
      return each(`${priority}/${name}(${owner}${id(pid)}): `);
    case 'time':
      return each(`${time} ${priority}/${name}(${owner}${id(pid)}): `);
    case 'long':
      return `[ ${time} ${owner}${id(pid)}:${id(tid)} ${priority}/${name} ]\n${lines.join('\n')}\n\n`;
    default:
      return each(`${time} ${uid === null ? '' : `${uid} `}${id(pid)} ${id(tid)} ${priority} ${name}: `);
  }
}

function uidText(uid: number): string {
  return (uid >= 10_000 ? String(uid) : uid === 1000 ? '1000' : uidName(uid)).padStart(5);
}

function timeText(ms: number, modifiers: ReadonlySet<string>): string {
  const whole = Math.floor(ms / 1000);
  const millis = String(Math.floor(ms % 1000)).padStart(3, '0');
  const fraction = modifiers.has('nsec')
    ? `${millis}000000`
    : modifiers.has('usec')
      ? `${millis}000`
      : millis;
  if (modifiers.has('epoch') || modifiers.has('monotonic'))
    return `${String(whole).padStart(19)}.${fraction}`;
  const iso = new Date(ms).toISOString();
  const day = modifiers.has('year') ? iso.slice(0, 10) : iso.slice(5, 10);
  const zone = modifiers.has('zone') ? ' +0000' : '';
  return `${day} ${iso.slice(11, 19)}.${fraction}${zone}`;
}
