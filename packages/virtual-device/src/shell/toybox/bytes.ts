import { strerror } from '../../fs/errno.ts';
import { complain, parseOptions, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { bytesOf, sizeOf } from './inputs.ts';

/** Commands that look at bytes, or cut them. */
export const BYTE_COMMANDS: readonly (readonly [string, Command])[] = [
  ['xxd', xxd],
  ['od', od],
  ['dd', dd],
  ['split', split],
  ['truncate', truncate],
  ['cksum', cksum],
  ['cmp', compare],
];

async function xxd(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'pr', 'cglos');
  const data = await bytesOf(context, rest[0]);
  if (data === null) return 1;
  if (flags.has('r')) {
    await context.stdout.write(fromHex(data.toString('latin1'), flags.has('p')));
    return 0;
  }
  const start = sizeOf(values.get('s') ?? '0') ?? 0;
  const length = values.has('l') ? (sizeOf(values.get('l') ?? '') ?? 0) : data.length;
  const shown = data.subarray(start, start + length);
  const width = Number(values.get('c') ?? (flags.has('p') ? 30 : 16)) || 256;
  const group = Number(values.get('g') ?? 2);
  const offset = start + (sizeOf(values.get('o') ?? '0') ?? 0);
  for (let at = 0; at < shown.length; at += width) {
    const line = shown.subarray(at, at + width);
    await context.stdout.write(
      flags.has('p') ? `${line.toString('hex')}\n` : hexLine(line, offset + at, width, group),
    );
  }
  return 0;
}

function hexLine(line: Buffer, address: number, width: number, group: number): string {
  let hex = '';
  for (let at = 0; at < width; at++) {
    const byte = line[at];
    hex += byte === undefined ? '  ' : byte.toString(16).padStart(2, '0');
    if (group > 0 && (at + 1) % group === 0) hex += ' ';
  }
  if (group <= 0 || width % group !== 0) hex += ' ';
  const text = line.toString('latin1').replaceAll(/[^ -~]/g, '.');
  return `${address.toString(16).padStart(8, '0')}: ${hex} ${text}\n`;
}

/** What `xxd -r` makes of a dump: with addresses, or hexadecimal digits only. */
function fromHex(text: string, plain: boolean): Buffer {
  const digits = text.split('\n').map((line) => {
    if (plain) return line.replaceAll(/[^0-9a-fA-F]/g, '');
    const [, hex = ''] = /^[0-9a-fA-F]+: ?((?:[0-9a-fA-F]{2,} ?)*)/.exec(line) ?? [];
    return hex.replaceAll(' ', '');
  });
  return Buffer.from(digits.join(''), 'hex');
}

/** How `od` shows a number: its letter, and its size in bytes. */
interface Shape {
  readonly letter: string;
  readonly size: number;
}

const ALIASES: Readonly<Record<string, string>> = { b: 'o1', c: 'c', d: 'u2', o: 'o2', s: 'd2', x: 'x2' };

async function od(context: CommandContext): Promise<number> {
  const { flags, values, rest, unknown } = parseOptions(context.args, 'bcdosxv', 'jNwAt');
  if (unknown !== null) return complain(context, `Unknown option '${unknown.slice(1)}'`);
  // `-t` may come several times.
  const types = context.args.flatMap((arg, at) => {
    const joined = /^-t(.+)$/.exec(arg)?.[1];
    return joined ?? (arg === '-t' ? (context.args[at + 1] ?? '') : []);
  });
  const letters = Object.keys(ALIASES).flatMap((letter) =>
    flags.has(letter) ? [ALIASES[letter] ?? ''] : [],
  );
  const shapes = [...letters, ...types]
    .flatMap((type) => type.match(/[acdfoux](?:[CSIL]|\d+)?/g) ?? [])
    .map(shapeOf);
  if (shapes.length === 0) shapes.push({ letter: 'o', size: 2 });
  const all = await bytesOf(context, rest[0]);
  if (all === null) return 1;
  const skip = sizeOf(values.get('j') ?? '0') ?? 0;
  const data = all.subarray(skip, values.has('N') ? skip + (sizeOf(values.get('N') ?? '') ?? 0) : undefined);
  const width = Number(values.get('w') ?? 16) || 16;
  // Several shapes stand below one another.
  const widest = Math.max(...shapes.map((shape) => placesOf(shape) / shape.size));
  const base = values.get('A') ?? 'o';
  const address = (at: number): string =>
    base === 'n' ? '' : at.toString({ d: 10, x: 16 }[base] ?? 8).padStart(base === 'x' ? 6 : 7, '0');
  let before = '';
  let starred = false;
  for (let at = 0; at < data.length; at += width) {
    const line = data.subarray(at, at + width);
    const key = line.toString('hex');
    if (at > 0 && before.startsWith(key) && !flags.has('v')) {
      if (!starred) await context.stdout.write('*\n');
      starred = true;
      continue;
    }
    before = key;
    starred = false;
    for (const [index, shape] of shapes.entries()) {
      const place = index === 0 ? address(skip + at) : ' '.repeat(address(0).length);
      await context.stdout.write(`${place}${numbers(line, shape, widest)}\n`);
    }
  }
  if (base !== 'n') await context.stdout.write(`${address(skip + data.length)}\n`);
  return 0;
}

function shapeOf(text: string): Shape {
  const letter = text.slice(0, 1);
  const size = text.slice(1);
  const known = { C: 1, S: 2, I: 4, L: 8 }[size] ?? Number(size);
  const otherwise = letter === 'a' || letter === 'c' ? 1 : letter === 'f' ? 8 : 4;
  return { letter, size: known || otherwise };
}

const NAMES =
  'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp'.split(
    ' ',
  );
const CHAR_ESCAPES: Readonly<Record<number, string>> = {
  0: '\\0',
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
};

function numbers(line: Buffer, { letter, size }: Shape, widest: number): string {
  let out = '';
  for (let at = 0; at < line.length; at += size) {
    const bytes = Buffer.alloc(size);
    line.copy(bytes, 0, at, Math.min(at + size, line.length));
    out += one(bytes, letter, size).padStart(Math.ceil(widest * size));
  }
  return out;
}

/** Characters of one number, with the blanks before it. */
function placesOf({ letter, size }: Shape): number {
  if (letter === 'a' || letter === 'c') return 4;
  const small: Readonly<Record<string, readonly number[]>> = { o: [4, 8], x: [3, 6], d: [5, 8], u: [4, 6] };
  return small[letter]?.[size - 1] ?? size * 3;
}

function one(bytes: Buffer, letter: string, size: number): string {
  const [byte = 0] = bytes;
  if (letter === 'c')
    return (
      CHAR_ESCAPES[byte] ??
      (byte >= 32 && byte < 127 ? String.fromCodePoint(byte) : byte.toString(8).padStart(3, '0'))
    );
  if (letter === 'a') {
    const code = byte & 0x7f;
    return NAMES[code] ?? (code === 127 ? 'del' : String.fromCodePoint(code));
  }
  if (letter === 'f') return String(size === 4 ? bytes.readFloatLE() : bytes.readDoubleLE());
  let value = 0n;
  for (const each of bytes.toReversed()) value = (value << 8n) | BigInt(each);
  if (letter === 'd') return BigInt.asIntN(size * 8, value).toString();
  if (letter === 'u') return value.toString();
  const base = letter === 'x' ? 16 : 8;
  const digits = (2n ** BigInt(size * 8) - 1n).toString(base).length;
  return value.toString(base).padStart(digits, '0');
}

async function dd(context: CommandContext): Promise<number> {
  const options = new Map(
    context.args.map((arg): [string, string] => {
      const [name = '', value = ''] = arg.split(/=(.*)/s);
      return [name, value];
    }),
  );
  const known = [
    'if',
    'of',
    'bs',
    'ibs',
    'obs',
    'count',
    'skip',
    'iseek',
    'seek',
    'oseek',
    'conv',
    'status',
    'iflag',
    'oflag',
  ];
  const bad = [...options.keys()].find((name) => !known.includes(name));
  if (bad !== undefined) return complain(context, `bad arg ${bad}`);
  const size = (name: string, otherwise: number): number => sizeOf(options.get(name) ?? '') ?? otherwise;
  const block = size('bs', size('ibs', 512));
  const all = await bytesOf(context, options.get('if') ?? '-');
  if (all === null) return 1;
  const from = size('skip', size('iseek', 0)) * block;
  const data = all.subarray(from, options.has('count') ? from + size('count', 0) * block : undefined);
  const output = options.get('of');
  if (output === undefined) await context.stdout.write(data);
  else {
    const path = pathOf(context, output);
    const seek = size('seek', size('oseek', 0)) * size('bs', size('obs', 512));
    const keep = (options.get('conv') ?? '').split(',').includes('notrunc');
    const old = seek > 0 || keep ? await context.fs.readFile(path) : null;
    const before = old?.ok ? old.value : Buffer.alloc(0);
    const head = Buffer.concat([before.subarray(0, seek), Buffer.alloc(Math.max(0, seek - before.length))]);
    const rest = keep ? before.subarray(seek + data.length) : Buffer.alloc(0);
    const written = await context.fs.writeFile(path, Buffer.concat([head, data, rest]));
    if (!written.ok) return complain(context, `${output}: ${strerror(written.errno)}`);
  }
  if (!['none', 'noxfer'].includes(options.get('status') ?? '')) {
    const records = `${Math.floor(data.length / block)}+${data.length % block === 0 ? 0 : 1}`;
    await context.stderr.write(
      `${records} records in\n${records} records out\n${data.length} bytes copied\n`,
    );
  }
  return 0;
}

async function split(context: CommandContext): Promise<number> {
  const { values, rest } = parseOptions(context.args, '', 'abln');
  const [input = '-', prefix = 'x'] = rest;
  const data = await bytesOf(context, input);
  if (data === null) return 1;
  const letters = Number(values.get('a') ?? 2);
  const parts = values.get('n') === undefined ? null : Number(values.get('n'));
  const size = parts === null ? sizeOf(values.get('b') ?? '0') : Math.ceil(data.length / parts);
  const lines = Number(values.get('l') ?? 1000);
  let at = 0;
  for (let index = 0; at < data.length; index++) {
    const end = size ? at + size : endOfLines(data, at, lines);
    const name = prefix + suffix(index, letters);
    const written = await context.fs.writeFile(pathOf(context, name), data.subarray(at, end));
    if (!written.ok) return complain(context, `${name}: ${strerror(written.errno)}`);
    at = end;
  }
  return 0;
}

function endOfLines(data: Buffer, from: number, lines: number): number {
  let at = from;
  for (let line = 0; line < lines; line++) {
    const newline = data.indexOf('\n', at);
    if (newline < 0) return data.length;
    at = newline + 1;
  }
  return at;
}

/** `aa`, `ab` … */
function suffix(index: number, letters: number): string {
  let left = index;
  let text = '';
  for (let place = 0; place < letters; place++) {
    text = String.fromCodePoint(97 + (left % 26)) + text;
    left = Math.floor(left / 26);
  }
  return text;
}

async function truncate(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'c', 's');
  const wish = values.get('s') ?? '';
  const amount = sizeOf(wish.replace(/^[-+<>/%]/, ''));
  if (amount === null) return complain(context, `bad size '${wish}'`);
  let status = 0;
  for (const name of rest) {
    const old = await context.fs.readFile(pathOf(context, name));
    if (!old.ok && flags.has('c')) continue;
    const data = old.ok ? old.value : Buffer.alloc(0);
    const size = Math.max(0, newSize(wish[0] ?? '', data.length, amount));
    const cut = Buffer.concat([data.subarray(0, size), Buffer.alloc(Math.max(0, size - data.length))]);
    const written = await context.fs.writeFile(pathOf(context, name), cut);
    if (!written.ok) status = await complain(context, `${name}: ${strerror(written.errno)}`);
  }
  return status;
}

function newSize(sign: string, size: number, amount: number): number {
  switch (sign) {
    case '+':
      return size + amount;
    case '-':
      return size - amount;
    case '<':
      return Math.min(size, amount);
    case '>':
      return Math.max(size, amount);
    case '/':
      return Math.floor(size / amount) * amount;
    case '%':
      return Math.ceil(size / amount) * amount;
    default:
      return amount;
  }
}

/** POSIX's: the polynomial 0x04c11db7 over the bytes and then those of their number, lowest first, all bits turned at the end. */
async function cksum(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'HIPLN');
  let status = 0;
  for (const name of rest.length === 0 ? ['-'] : rest) {
    const data = await bytesOf(context, name);
    if (data === null) {
      status = 1;
      continue;
    }
    let crc = flags.has('P') ? 0xffff_ffff : 0;
    const feed = (byte: number): void => {
      crc ^= byte << 24;
      for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000_0000 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1;
    };
    for (const byte of data) feed(byte);
    if (!flags.has('N'))
      for (let left = data.length; left > 0; left = Math.floor(left / 256)) feed(left & 0xff);
    const sum = (flags.has('I') ? crc : ~crc) >>> 0;
    const text = flags.has('H') ? sum.toString(16).padStart(8, '0') : String(sum);
    await context.stdout.write(
      `${text}${flags.has('N') ? '' : ` ${data.length}`}${name === '-' ? '' : ` ${name}`}\n`,
    );
  }
  return status;
}

async function compare(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'ls', 'n');
  const [first, second = '-'] = rest;
  if (first === undefined) return complain(context, 'Needs 1 argument', 2);
  const [one, other] = [await bytesOf(context, first), await bytesOf(context, second)];
  if (one === null || other === null) return 2;
  const [skipOne, skipOther] = [rest[2], rest[3]].map((text) => sizeOf(text ?? '0') ?? 0) as [number, number];
  const limit = values.has('n') ? (sizeOf(values.get('n') ?? '') ?? 0) : Number.MAX_SAFE_INTEGER;
  const [a, b] = [one.subarray(skipOne, skipOne + limit), other.subarray(skipOther, skipOther + limit)];
  let line = 1;
  let status = 0;
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [x = 0, y = 0] = [a[at], b[at]];
    if (x !== y) {
      status = 1;
      if (flags.has('s')) return 1;
      if (!flags.has('l')) {
        await context.stdout.write(`${first} ${second} differ: char ${at + 1}, line ${line}\n`);
        return 1;
      }
      await context.stdout.write(`${at + 1} ${x.toString(8)} ${y.toString(8)}\n`);
    }
    if (x === 0x0a) line++;
  }
  if (a.length === b.length) return status;
  if (!flags.has('s')) await context.stderr.write(`cmp: EOF on ${a.length < b.length ? first : second}\n`);
  return 1;
}
