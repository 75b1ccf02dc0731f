import { setTimeout } from 'node:timers/promises';
import { strerror } from '../../fs/errno.ts';
import type { OpenFile } from '../../fs/space.ts';
import { readAll } from '../../io/bytes.ts';
import type { ByteSource } from '../../io/bytes.ts';
import { CHARACTER_CLASSES } from '../character-classes.ts';
import { complain, parseOptions, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { allLines, printLines, sizeOf, sources } from './inputs.ts';

/** Commands that read text and print some of it. */
export const FILTER_COMMANDS: readonly (readonly [string, Command])[] = [
  ['head', head],
  ['tail', tail],
  ['wc', wordCount],
  ['uniq', unique],
  ['cut', cut],
  ['tr', translate],
  ['tee', tee],
];

/** `-5` is `-n5`. */
function withCount(args: readonly string[]): string[] {
  return args.map((arg) => arg.replace(/^-(\d+)$/, '-n$1'));
}

/** The line above each of several files. */
async function title(context: CommandContext, name: string, index: number): Promise<void> {
  await context.stdout.write(`${index > 0 ? '\n' : ''}==> ${name === '-' ? 'standard input' : name} <==\n`);
}

async function head(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(withCount(context.args), 'qv', 'nc');
  const bytes = values.get('c');
  const text = bytes ?? values.get('n') ?? '10';
  const count = sizeOf(text);
  if (count === null) return complain(context, `not integer: ${text}`);
  let status = 0;
  let index = 0;
  for await (const { name, source } of sources(context, rest, () => (status = 1))) {
    if ((rest.length > 1 && !flags.has('q')) || flags.has('v')) await title(context, name, index);
    index++;
    if (bytes !== undefined) {
      const data = await readAll(source);
      await context.stdout.write(data.subarray(0, count));
      continue;
    }
    if (count < 0) {
      // All but the last ones.
      const data = await readAll(source);
      await context.stdout.write(data.subarray(0, endOf(data, -count, false)));
    } else if (!(await firstLines(context, source, count))) return 141;
    source.close();
  }
  return status;
}

/** False when nobody reads what is printed. */
async function firstLines(context: CommandContext, source: ByteSource, count: number): Promise<boolean> {
  let left = count;
  while (left > 0) {
    const chunk = await source.read();
    if (chunk === null) return true;
    let end = 0;
    for (; left > 0 && end < chunk.length; left--) {
      const newline = chunk.indexOf('\n', end);
      if (newline < 0) break;
      end = newline + 1;
    }
    if (!(await context.stdout.write(left === 0 ? chunk.subarray(0, end) : chunk))) return false;
  }
  return true;
}

const FOLLOW_MS = 200;

async function tail(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(withCount(context.args), 'fFqv', 'ncs');
  const bytes = values.get('c');
  const text = bytes ?? values.get('n') ?? '10';
  const size = sizeOf(text.replace(/^\+/, ''));
  if (size === null) return complain(context, `not integer: ${text}`);
  const count = Math.abs(size);
  let status = 0;
  let index = 0;
  const sizes = new Map<string, number>();
  for await (const { name, source } of sources(context, rest, () => (status = 1))) {
    if ((rest.length > 1 && !flags.has('q')) || flags.has('v')) await title(context, name, index);
    index++;
    const data = await readAll(source);
    sizes.set(name, data.length);
    const from = text.startsWith('+')
      ? startOf(data, count, bytes !== undefined)
      : endOf(data, count, bytes !== undefined);
    await context.stdout.write(data.subarray(from));
  }
  if (flags.has('f') || flags.has('F')) await follow(context, sizes);
  return status;
}

/** Where the `count`th byte or line begins, from 1. */
function startOf(data: Buffer, count: number, bytes: boolean): number {
  if (bytes) return Math.max(0, count - 1);
  let at = 0;
  for (let line = 1; line < count; line++) {
    const newline = data.indexOf('\n', at);
    if (newline < 0) return data.length;
    at = newline + 1;
  }
  return at;
}

/** Where the last `count` bytes or lines begin. */
function endOf(data: Buffer, count: number, bytes: boolean): number {
  if (bytes) return Math.max(0, data.length - count);
  if (count === 0) return data.length;
  let at = data.at(-1) === 0x0a ? data.length - 1 : data.length;
  for (let line = 0; line < count; line++) {
    at = at === 0 ? -1 : data.lastIndexOf('\n', at - 1);
    if (at < 0) return 0;
  }
  return at + 1;
}

/** Prints what is added to files until the caller hangs up; one that was made anew is printed from its start. */
async function follow(context: CommandContext, sizes: Map<string, number>): Promise<void> {
  while (!context.signal.aborted && sizes.size > 0) {
    for (const [name, size] of sizes) {
      const path = pathOf(context, name);
      const found = name === '-' ? null : await context.fs.stat(path);
      if (!found?.ok || found.value.size === size) continue;
      const data = await context.fs.readFile(path);
      if (!data.ok) continue;
      sizes.set(name, data.value.length);
      const from = data.value.length < size ? 0 : size;
      if (!(await context.stdout.write(data.value.subarray(from)))) return;
    }
    await setTimeout(FOLLOW_MS, undefined, { signal: context.signal }).catch(() => {});
  }
}

async function wordCount(context: CommandContext): Promise<number> {
  const { flags, rest, unknown } = parseOptions(context.args, 'lwcm');
  if (unknown !== null) return complain(context, `Unknown option '${unknown.replace(/^-+/, '')}'`);
  const wanted = (['l', 'w', 'm', 'c'] as const).filter((letter) =>
    flags.size === 0 ? letter !== 'm' : flags.has(letter),
  );
  const total = { l: 0, w: 0, m: 0, c: 0 };
  let status = 0;
  const print = async (counts: typeof total, name: string): Promise<void> => {
    const numbers = wanted.map((letter) => counts[letter]);
    const texts = numbers.map((count) =>
      (numbers.length > 1 && rest.length !== 1) || rest.length > 1
        ? String(count).padStart(7)
        : String(count),
    );
    await context.stdout.write(`${texts.join(' ')}${name === '' ? '' : ` ${name}`}\n`);
  };
  for await (const { name, source } of sources(context, rest, () => (status = 1))) {
    const data = await readAll(source);
    const text = data.toString('utf8');
    const counts = {
      l: text.split('\n').length - 1,
      w: text.split(/\s+/).filter((word) => word !== '').length,
      m: Array.from(text).length,
      c: data.length,
    };
    for (const letter of wanted) total[letter] += counts[letter];
    await print(counts, rest.length === 0 ? '' : name);
  }
  if (rest.length > 1) await print(total, 'total');
  return status;
}

async function unique(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'cduiz', 'wfs');
  const fields = Number(values.get('f') ?? 0);
  const skipped = Number(values.get('s') ?? 0);
  const width = Number(values.get('w') ?? Number.POSITIVE_INFINITY);
  const key = (line: string): string => {
    const rest = line.replace(new RegExp(`^(?:\\s*\\S+){0,${fields}}`), '').slice(skipped);
    const text = rest.slice(0, width);
    return flags.has('i') ? text.toLowerCase() : text;
  };
  const groups: { readonly line: string; count: number }[] = [];
  const { lines, status } = await allLines(context, rest.slice(0, 1));
  for (const line of lines) {
    const last = groups.at(-1);
    if (last && key(last.line) === key(line)) last.count++;
    else groups.push({ line, count: 1 });
  }
  const shown = groups.filter(({ count }) => (count > 1 ? !flags.has('u') : !flags.has('d')));
  const printed = shown.map(({ line, count }) =>
    flags.has('c') ? `${String(count).padStart(7)} ${line}` : line,
  );
  const [, output] = rest;
  if (output === undefined) await printLines(context, printed);
  else {
    const text = printed.map((line) => `${line}\n`).join('');
    const written = await context.fs.writeFile(pathOf(context, output), Buffer.from(text));
    if (!written.ok) return complain(context, `${output}: ${strerror(written.errno)}`);
  }
  return status;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

async function cut(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'sDn', 'bcCdfFO');
  const kind = (['f', 'F', 'c', 'C', 'b'] as const).find((letter) => values.has(letter));
  if (kind === undefined) return complain(context, 'Needs -Ffcb');
  const ranges = rangesOf(values.get(kind) ?? '', flags.has('D'));
  if (!ranges) return complain(context, `bad list: ${values.get(kind) ?? ''}`);
  const delimiter = values.get('d') ?? (kind === 'F' ? '[ \\t]+' : '\t');
  const joined = values.get('O') ?? (kind === 'F' ? ' ' : kind === 'f' ? delimiter : '');
  const { lines, status } = await allLines(context, rest);
  const cutLines = lines.flatMap((line) => {
    if (kind === 'b')
      return Buffer.concat(
        pick(
          [...Buffer.from(line)].map((byte) => Buffer.of(byte)),
          ranges,
        ),
      ).toString('utf8');
    if (kind === 'c' || kind === 'C') return pick(Array.from(line), ranges).join('');
    const parts = kind === 'F' ? line.split(new RegExp(delimiter, 'u')) : line.split(delimiter);
    if (parts.length > 1) return pickRanges(parts, ranges, delimiter).join(joined);
    return flags.has('s') ? [] : line;
  });
  await printLines(context, cutLines);
  return status;
}

/** `1,3-5,7-`; sorted and without what is there twice, unless told not to. */
function rangesOf(list: string, asIs: boolean): Range[] | null {
  const ranges: Range[] = [];
  for (const part of list.split(',')) {
    const [, from = '', dash = '', to = ''] = /^(\d*)(-?)(\d*)$/.exec(part) ?? [];
    if (from === '' && to === '') return null;
    const start = from === '' ? 1 : Number(from);
    const end = dash === '' ? start : to === '' ? Number.MAX_SAFE_INTEGER : Number(to);
    if (start < 1 || end < start) return null;
    ranges.push({ from: start, to: end });
  }
  return asIs ? ranges : ranges.sort((a, b) => a.from - b.from);
}

/** Neighbours in a range keep what stands between them. */
function pickRanges(parts: readonly string[], ranges: readonly Range[], delimiter: string): string[] {
  const glue = delimiter.length === 1 ? delimiter : ' ';
  const taken = new Set<number>();
  return ranges.flatMap(({ from, to }) => {
    const own: string[] = [];
    for (let at = from; at <= Math.min(to, parts.length); at++) {
      if (taken.has(at)) continue;
      taken.add(at);
      own.push(parts[at - 1] ?? '');
    }
    return own.length === 0 ? [] : own.join(glue);
  });
}

function pick<T>(all: readonly T[], ranges: readonly Range[]): T[] {
  const picked = new Set<number>();
  for (const { from, to } of ranges)
    for (let at = from; at <= Math.min(to, all.length); at++) picked.add(at - 1);
  return [...picked].flatMap((at) => {
    const found = all[at];
    return found === undefined ? [] : [found];
  });
}

async function translate(context: CommandContext): Promise<number> {
  const { flags, rest, unknown } = parseOptions(context.args, 'dscCt');
  if (unknown !== null) return complain(context, `Unknown option '${unknown.slice(1)}'`);
  if (rest[0] === undefined) return complain(context, 'needs 1 argument');
  const from = expandSet(rest[0]);
  const to = expandSet(rest[1] ?? '');
  const others = flags.has('c') || flags.has('C');
  const squeezed = rest[1] === undefined || flags.has('d') ? expandSet(rest[1] ?? rest[0]) : to;
  const decoder = new TextDecoder();
  let last = '';
  for (let chunk = await context.stdin.read(); chunk !== null; chunk = await context.stdin.read()) {
    let out = '';
    for (const char of decoder.decode(chunk, { stream: true })) {
      const at = from.indexOf(char);
      const inSet = others ? at < 0 : at >= 0;
      if (inSet && flags.has('d')) continue;
      const index = others ? to.length - 1 : Math.min(at, to.length - 1);
      const mapped = inSet && to.length > 0 && !flags.has('d') ? (to[index] ?? char) : char;
      const inSqueezed = rest[1] === undefined && others ? inSet : squeezed.includes(mapped);
      if (flags.has('s') && mapped === last && inSqueezed) continue;
      out += mapped;
      last = mapped;
    }
    if (!(await context.stdout.write(out))) return 141;
  }
  return 0;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** `a-z`, `[:upper:]`, `\n`, `\012`: the characters in their order. */
function expandSet(text: string): string[] {
  const all: string[] = [];
  const pattern = /\[:(\w+):\]|\\([0-7]{1,3})|\\([\s\S])|([\s\S])/gu;
  let range = false;
  for (const [, name, octal, escape, plain] of text.matchAll(pattern)) {
    if (name !== undefined) {
      const set = new RegExp(`[${CHARACTER_CLASSES[name] ?? ''}]`, 'u');
      const ascii = Array.from({ length: 128 }, (_none, code) => String.fromCodePoint(code));
      all.push(...ascii.filter((char) => set.test(char)));
      continue;
    }
    const char =
      octal === undefined
        ? (plain ?? ESCAPES[escape ?? ''] ?? escape ?? '')
        : String.fromCodePoint(Number.parseInt(octal, 8));
    const first = all.at(-1);
    if (range && first !== undefined) {
      for (let code = (first.codePointAt(0) ?? 0) + 1; code <= (char.codePointAt(0) ?? 0); code++)
        all.push(String.fromCodePoint(code));
      range = false;
    } else if (plain === '-' && all.length > 0) range = true;
    else all.push(char);
  }
  // A dash at the end is one.
  return range ? [...all, '-'] : all;
}

async function tee(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'ai');
  const how = flags.has('a') ? 'append' : 'truncate';
  const files = new Map<string, OpenFile>();
  let status = 0;
  for (const file of rest) {
    const opened = await context.fs.openForWrite(pathOf(context, file), how);
    if (opened.ok) files.set(file, opened.value);
    else status = await complain(context, `${file}: ${strerror(opened.errno)}`);
  }
  for (let chunk = await context.stdin.read(); chunk !== null; chunk = await context.stdin.read()) {
    await context.stdout.write(chunk);
    for (const [file, opened] of files) {
      try {
        await opened.writeFile(chunk);
      } catch {
        status = await complain(context, `${file}: ${strerror('ENOSPC')}`);
        files.delete(file);
        await opened.close();
      }
    }
  }
  for (const opened of files.values()) await opened.close();
  return status;
}
