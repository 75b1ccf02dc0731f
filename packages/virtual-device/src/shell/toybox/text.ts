import { readAll, readLines } from '../../io/bytes.ts';
import { complain, parseOptions, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { allLines, bytesOf, printLines, sources } from './inputs.ts';
import { posixRegExp } from './posix-regexp.ts';

/** Commands that lay out text anew. */
export const TEXT_COMMANDS: readonly (readonly [string, Command])[] = [
  ['nl', numberLines],
  ['paste', paste],
  ['rev', (context) => eachLine(context, (line) => Array.from(line).reverse().join(''))],
  ['tac', reversed],
  ['expand', expandTabs],
  ['fold', fold],
  ['comm', common],
  ['strings', strings],
  ['unix2dos', (context) => lineEnds(context, (text) => text.replaceAll(/\r?\n/g, '\r\n'))],
  ['dos2unix', (context) => lineEnds(context, (text) => text.replaceAll('\r\n', '\n'))],
];

async function eachLine(context: CommandContext, change: (line: string) => string): Promise<number> {
  let status = 0;
  for await (const { source } of sources(context, context.args, () => (status = 1)))
    for await (const line of readLines(source))
      if (!(await context.stdout.write(`${change(line)}\n`))) return 141;
  return status;
}

/** With their ends: a last line that has none is not given one. */
async function reversed(context: CommandContext): Promise<number> {
  let status = 0;
  for await (const { source } of sources(context, context.args, () => (status = 1))) {
    const lines = (await readAll(source)).toString('utf8').match(/[^\n]*\n|[^\n]+$/g) ?? [];
    await context.stdout.write(lines.reverse().join(''));
  }
  return status;
}

/** `unix2dos` and `dos2unix` change files where they are. */
async function lineEnds(context: CommandContext, change: (text: string) => string): Promise<number> {
  let status = 0;
  for (const name of context.args.length === 0 ? ['-'] : context.args) {
    const data = await bytesOf(context, name);
    const changed = data === null ? null : Buffer.from(change(data.toString('latin1')), 'latin1');
    if (changed === null) status = 1;
    else if (name === '-') await context.stdout.write(changed);
    else if (!(await context.fs.writeFile(pathOf(context, name), changed)).ok)
      status = await complain(context, `${name}: cannot be written`);
  }
  return status;
}

async function numberLines(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'E', 'lbnsvw');
  const width = Number(values.get('w') ?? 6);
  const separator = values.get('s') ?? '\t';
  const style = values.get('n') ?? 'rn';
  const mode = values.get('b') ?? 't';
  const pattern = mode.startsWith('p') ? posixRegExp(mode.slice(1), flags.has('E'), '') : null;
  const blanksPerNumber = Number(values.get('l') ?? 1);
  let number = Number(values.get('v') ?? 1);
  let blanks = 0;
  const counted = (line: string): boolean => {
    if (pattern) return pattern.test(line);
    if (mode === 'n') return false;
    if (line !== '') return true;
    blanks = (blanks + 1) % blanksPerNumber;
    return mode === 'a' && blanks === 0;
  };
  const { lines, status } = await allLines(context, rest);
  const shown = lines.map((line) => {
    if (line !== '') blanks = 0;
    if (!counted(line)) return `${' '.repeat(width + separator.length)}${line}`;
    const text = String(number++);
    const placed = style === 'ln' ? text.padEnd(width) : text.padStart(width, style === 'rz' ? '0' : ' ');
    return `${placed}${separator}${line}`;
  });
  await printLines(context, shown);
  return status;
}

async function paste(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 's', 'd');
  const signs = Array.from(
    (values.get('d') ?? '\t').replaceAll('\\t', '\t').replaceAll('\\n', '\n'),
    (sign) => sign,
  );
  const sign = (at: number): string => signs[at % signs.length] ?? '';
  const columns: string[][] = [];
  let status = 0;
  const stdin: string[][] = [];
  for (const name of rest.length === 0 ? ['-'] : rest) {
    // Each `-` takes its turn at the lines of stdin.
    if (name === '-' && stdin[0]) {
      const shared = stdin[0];
      stdin.push(shared);
      columns.push(shared);
      continue;
    }
    const { lines, status: read } = await allLines(context, [name]);
    if (name === '-') stdin.push(lines);
    columns.push(lines);
    status ||= read;
  }
  const join = (parts: readonly string[]): string =>
    parts.map((part, at) => (at === 0 ? part : sign(at - 1) + part)).join('');
  if (flags.has('s')) {
    await printLines(context, columns.map(join));
    return status;
  }
  const queues = columns.map((lines) => ({ lines }));
  const rows: string[] = [];
  while (queues.some(({ lines }) => lines.length > 0))
    rows.push(join(queues.map(({ lines }) => lines.shift() ?? '')));
  await printLines(context, rows);
  return status;
}

async function expandTabs(context: CommandContext): Promise<number> {
  const { values, rest } = parseOptions(context.args, '', 't');
  const stops = (values.get('t') ?? '8').split(/[ ,]/).map(Number);
  const [every = 8] = stops;
  const next = (column: number): number => {
    if (stops.length === 1) return column + every - (column % every);
    return stops.find((stop) => stop > column) ?? column + 1;
  };
  return eachLine({ ...context, args: rest }, (line) => {
    let out = '';
    let column = 0;
    for (const char of line) {
      const width = char === '\t' ? next(column) - column : 1;
      out += char === '\t' ? ' '.repeat(width) : char;
      column += width;
    }
    return out;
  });
}

async function fold(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'bsu', 'w');
  const width = Number(values.get('w') ?? 80);
  if (!(width > 0)) return complain(context, `bad width '${values.get('w') ?? ''}'`);
  return eachLine({ ...context, args: rest }, (line) => {
    const parts: string[] = [];
    let left = line;
    while (left.length > width) {
      const space = flags.has('s') ? left.slice(0, width).lastIndexOf(' ') + 1 : 0;
      const at = space > 0 ? space : width;
      parts.push(left.slice(0, at));
      left = left.slice(at);
    }
    return [...parts, left].join('\n');
  });
}

/** Lines of the first, of the second, and of both of two sorted files. */
async function common(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, '123');
  if (rest.length !== 2) return complain(context, 'needs 2 arguments');
  const [one, other] = [await allLines(context, rest.slice(0, 1)), await allLines(context, rest.slice(1))];
  if (one.status + other.status > 0) return 1;
  const columns = ['1', '2', '3'].filter((column) => !flags.has(column));
  const shown: string[] = [];
  const show = (column: string, line: string): void => {
    const at = columns.indexOf(column);
    if (at >= 0) shown.push('\t'.repeat(at) + line);
  };
  const [a, b] = [one.lines, other.lines];
  let [at, to] = [0, 0];
  while (at < a.length || to < b.length) {
    const [left, right] = [a[at], b[to]];
    if (right === undefined || (left !== undefined && left < right)) {
      show('1', left ?? '');
      at++;
    } else if (left === undefined || left > right) {
      show('2', right);
      to++;
    } else {
      show('3', left);
      at++;
      to++;
    }
  }
  await printLines(context, shown);
  return 0;
}

async function strings(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'fo', 'nt');
  const least = Number(values.get('n') ?? 4);
  const base = { o: 8, d: 10, x: 16 }[values.get('t') ?? (flags.has('o') ? 'd' : '')] ?? 0;
  let status = 0;
  for (const name of rest.length === 0 ? ['-'] : rest) {
    const data = await bytesOf(context, name);
    if (data === null) {
      status = 1;
      continue;
    }
    const pattern = new RegExp(`[\\t -~]{${least},}`, 'g');
    for (const match of data.toString('latin1').matchAll(pattern)) {
      const place = base === 0 ? '' : `${match.index.toString(base).padStart(7)} `;
      await context.stdout.write(`${flags.has('f') ? `${name}: ` : ''}${place}${match[0]}\n`);
    }
  }
  return status;
}
