import { strerror } from '../../fs/errno.ts';
import { complain, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { allLines, printLines } from './inputs.ts';

export const SORT_COMMANDS: readonly (readonly [string, Command])[] = [['sort', sort]];

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';
/** How two texts are compared. */
const KINDS = 'ngMVxdif';

interface Key {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number] | null;
  /** Of {@link KINDS}, with `r` and `b`; none: those of the whole sort. */
  readonly letters: string;
}

/** `sort [-bcCdfgiMnrsuVxz] [-k from[,to][letters]]… [-t separator] [-o file] [file…]` */
async function sort(context: CommandContext): Promise<number> {
  const parsed = parse(context.args);
  if (typeof parsed === 'string') return complain(context, parsed, 2);
  const { letters, keys, separator, output, files } = parsed;
  const { lines, status } = await allLines(context, files);
  const fields =
    separator === null
      ? (line: string) => line.match(/\S+\s*/g) ?? [line]
      : (line: string) => line.split(separator);
  const compare = (a: string, b: string): number => {
    for (const key of keys) {
      const own = key.letters === '' ? letters : key.letters;
      const order = byKind(
        keyText(fields(a), key, separator, own),
        keyText(fields(b), key, separator, own),
        own,
      );
      if (order !== 0) return own.includes('r') ? -order : order;
    }
    if (keys.length === 0) {
      const order = byKind(a, b, letters);
      if (order !== 0) return letters.includes('r') ? -order : order;
    }
    if (letters.includes('s') || letters.includes('u')) return 0;
    const order = a < b ? -1 : a > b ? 1 : 0;
    return letters.includes('r') ? -order : order;
  };
  if (letters.includes('c') || letters.includes('C')) return check(context, lines, compare, letters);
  lines.sort(compare);
  const shown = letters.includes('u')
    ? lines.filter((line, at) => at === 0 || compare(lines[at - 1] ?? '', line) !== 0)
    : lines;
  if (output === null) {
    await printLines(context, shown);
    return status;
  }
  const text = shown.map((line) => `${line}\n`).join('');
  const written = await context.fs.writeFile(pathOf(context, output), Buffer.from(text));
  return written.ok ? status : complain(context, `${output}: ${strerror(written.errno)}`);
}

async function check(
  context: CommandContext,
  lines: readonly string[],
  compare: (a: string, b: string) => number,
  letters: string,
): Promise<number> {
  const at = lines.findIndex((line, index) => {
    const order = index === 0 ? -1 : compare(lines[index - 1] ?? '', line);
    return order > 0 || (order === 0 && letters.includes('u'));
  });
  if (at < 0) return 0;
  return letters.includes('C') ? 1 : complain(context, `Check line ${at}`);
}

interface Parsed {
  readonly letters: string;
  readonly keys: readonly Key[];
  readonly separator: string | null;
  readonly output: string | null;
  readonly files: readonly string[];
}

/** The text says what is wrong. */
function parse(args: readonly string[]): Parsed | string {
  const keys: Key[] = [];
  const files: string[] = [];
  let letters = '';
  let separator: string | null = null;
  let output: string | null = null;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      files.push(...args.slice(at + 1));
      break;
    }
    if (!/^-./.test(arg)) {
      files.push(arg);
      continue;
    }
    for (let index = 1; index < arg.length; index++) {
      const letter = arg[index] ?? '';
      if (!'kto'.includes(letter)) {
        if (!`${KINDS}rbcCsuz`.includes(letter)) return `Unknown option '${letter}'`;
        letters += letter;
        continue;
      }
      const value = arg.slice(index + 1) || (args[++at] ?? '');
      if (letter === 't') separator = value;
      else if (letter === 'o') output = value;
      else {
        const key = keyOf(value);
        if (!key) return `bad -k '${value}'`;
        keys.push(key);
      }
      break;
    }
  }
  return { letters, keys, separator, output, files };
}

/** `2`, `2,4`, `2.3n,4` */
function keyOf(text: string): Key | null {
  const match = /^(\d+)(?:\.(\d+))?([a-zA-Z]*)(?:,(\d+)(?:\.(\d+))?([a-zA-Z]*))?$/.exec(text);
  if (!match?.[1] || Number(match[1]) < 1) return null;
  const [, from, char = '1', letters = '', to, toChar = '0', more = ''] = match;
  return {
    from: [Number(from), Number(char)],
    to: to === undefined ? null : [Number(to), Number(toChar)],
    letters: letters + more,
  };
}

function keyText(
  fields: readonly string[],
  { from, to }: Key,
  separator: string | null,
  letters: string,
): string {
  const glue = separator ?? '';
  const trimmed = (text: string): string => (letters.includes('b') ? text.trimStart() : text);
  const last = to === null ? fields.length : to[0];
  const parts = fields.slice(from[0] - 1, last);
  if (to && to[1] > 0 && parts.length === last - from[0] + 1)
    parts[parts.length - 1] = trimmed(parts.at(-1) ?? '').slice(0, to[1]);
  const text = trimmed(parts.join(glue));
  const skipped = from[1] - 1;
  return skipped === 0 ? text : text.slice(skipped);
}

function byKind(a: string, b: string, letters: string): number {
  const kind = Array.from(letters).find((letter) => 'ngMVx'.includes(letter));
  if (kind !== undefined) return byNumber(kind, a, b);
  const [x, y] = [a, b].map((text) => {
    const cased = letters.includes('f') ? text.toUpperCase() : text;
    const words = letters.includes('d') ? cased.replaceAll(/[^A-Za-z0-9\s]/g, '') : cased;
    const printing = letters.includes('i') ? words.replaceAll(/[^ -~]/g, '') : words;
    return letters.includes('b') ? printing.trimStart() : printing;
  }) as [string, string];
  return x < y ? -1 : x > y ? 1 : 0;
}

function byNumber(kind: string, a: string, b: string): number {
  const order = (value: (text: string) => number): number => Math.sign(value(a) - value(b));
  switch (kind) {
    case 'M':
      return order((text) => MONTHS.indexOf(text.trim().slice(0, 3).toLowerCase()));
    case 'x':
      return order((text) => Number.parseInt(text.trim(), 16) || 0);
    case 'V':
      return byVersion(a, b);
    default:
      return order((text) => Number.parseFloat(text) || 0);
  }
}

/** Runs of digits as numbers. */
function byVersion(a: string, b: string): number {
  const [x, y] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []];
  for (let at = 0; at < Math.max(x.length, y.length); at++) {
    const [one = '', other = ''] = [x[at], y[at]];
    const numbers = /^\d/.test(one) && /^\d/.test(other);
    const order = numbers ? Number(one) - Number(other) : one < other ? -1 : one > other ? 1 : 0;
    if (order !== 0) return Math.sign(order);
  }
  return 0;
}
