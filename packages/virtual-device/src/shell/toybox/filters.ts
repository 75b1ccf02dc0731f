import { join } from '../../fs/paths.ts';
import { strerror } from '../../fs/errno.ts';
import { bufferSource, readAll, readLines } from '../../io/bytes.ts';
import type { ByteSource } from '../../io/bytes.ts';
import { complain, parseOptions, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';

/** Commands that read text and print some of it. */
export const FILTER_COMMANDS: readonly (readonly [string, Command])[] = [
  ['grep', (context) => grep(context, false)],
  ['egrep', (context) => grep(context, true)],
  ['fgrep', (context) => grep({ ...context, args: ['-F', ...context.args] }, false)],
  ['head', head],
  ['tail', tail],
  ['wc', wordCount],
  ['sort', sort],
  ['uniq', unique],
  ['cut', cut],
  ['tr', translate],
  ['tac', async (context) => printAll(context, (await allLines(context, context.args)).reverse())],
  ['tee', tee],
];

/** The named files, or stdin; a file that cannot be read is complained about and left out. */
async function* sources(
  context: CommandContext,
  files: readonly string[],
): AsyncGenerator<{ readonly name: string; readonly source: ByteSource }> {
  for (const name of files.length === 0 ? ['-'] : files) {
    if (name === '-') {
      yield { name: '(standard input)', source: context.stdin };
      continue;
    }
    const data = await context.fs.readFile(pathOf(context, name));
    if (data.ok) yield { name, source: bufferSource(data.value) };
    else await complain(context, `${name}: ${strerror(data.errno)}`);
  }
}

async function allLines(context: CommandContext, files: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const { source } of sources(context, files))
    for await (const line of readLines(source)) lines.push(line);
  return lines;
}

async function printAll(context: CommandContext, lines: readonly string[]): Promise<number> {
  if (lines.length > 0) await context.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

async function grep(context: CommandContext, extended: boolean): Promise<number> {
  const { flags, values, rest, unknown } = parseOptions(context.args, 'EFGivnclqhHsworRaxzL', 'eABCm');
  if (unknown !== null) return complain(context, `Unknown option '${unknown.replace(/^-+/, '')}'`, 2);
  const [first, ...others] = rest;
  const pattern = values.get('e') ?? first;
  if (pattern === undefined) return complain(context, 'no REGEX', 2);
  const named = values.has('e') ? rest : others;
  const recursive = flags.has('r') || flags.has('R');
  const files = recursive ? await filesBelow(context, named.length > 0 ? named : ['.']) : named;
  const expression = toRegExp(pattern, extended || flags.has('E'), flags);
  if (!expression) return complain(context, `bad REGEX '${pattern}'`, 2);
  const limit = Number(values.get('m') ?? Number.POSITIVE_INFINITY);
  const titled = (files.length > 1 || recursive || flags.has('H')) && !flags.has('h');
  let found = 0;
  for await (const { name, source } of sources(context, files)) {
    let count = 0;
    let number = 0;
    for await (const line of readLines(source)) {
      number++;
      if (expression.test(line) === flags.has('v')) continue;
      count++;
      found++;
      if (flags.has('q')) {
        source.close();
        return 0;
      }
      if (flags.has('l')) break;
      if (!flags.has('c')) {
        const shown = flags.has('o') ? (line.match(new RegExp(expression, 'gu')) ?? []) : [line];
        const prefix = (titled ? `${name}:` : '') + (flags.has('n') ? `${number}:` : '');
        for (const text of shown) if (!(await context.stdout.write(`${prefix}${text}\n`))) return 141;
      }
      if (count >= limit) break;
    }
    if (flags.has('c')) await context.stdout.write(`${titled ? `${name}:` : ''}${count}\n`);
    if (flags.has('l') && count > 0) await context.stdout.write(`${name}\n`);
  }
  return found > 0 ? 0 : 1;
}

/** All files in the named folders and below, in the order of their names; a link is not followed. */
async function filesBelow(context: CommandContext, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const node = await context.fs.stat(pathOf(context, path), false);
    const names =
      node.ok && node.value.kind === 'directory' ? await context.fs.readdir(pathOf(context, path)) : null;
    if (names?.ok) {
      const children = names.value.toSorted().map((name) => (path === '.' ? name : join(path, name)));
      found.push(...(await filesBelow(context, children)));
    } else found.push(path);
  }
  return found;
}

/** A POSIX expression as one of JavaScript's; basic ones have their operators behind backslashes. */
function toRegExp(pattern: string, extended: boolean, flags: ReadonlySet<string>): RegExp | null {
  let source = pattern;
  if (flags.has('F')) source = pattern.replaceAll(/[$()*+.?[\\\]^{|}/]/g, '\\$&');
  else if (!extended) {
    source = pattern.replaceAll(/\\([|(){}+?])|([|(){}+?])/g, (_whole, escaped?: string, plain?: string) =>
      escaped === undefined ? `\\${plain ?? ''}` : escaped,
    );
  }
  source = source
    .replaceAll('[[:space:]]', '\\s')
    .replaceAll('[:space:]', '\\s')
    .replaceAll('[:digit:]', '0-9')
    .replaceAll('[:alpha:]', 'A-Za-z')
    .replaceAll('[:alnum:]', 'A-Za-z0-9')
    .replaceAll(/\\([<>])/g, '\\b');
  if (flags.has('w')) source = `\\b(?:${source})\\b`;
  if (flags.has('x')) source = `^(?:${source})$`;
  try {
    return new RegExp(source, flags.has('i') ? 'i' : '');
  } catch {
    return null;
  }
}

async function head(context: CommandContext): Promise<number> {
  const args = context.args.map((arg) => arg.replace(/^-(\d+)$/, '-n$1'));
  const { values, rest } = parseOptions(args, 'qv', 'nc');
  const bytes = values.get('c');
  const count = Number(bytes ?? values.get('n') ?? 10);
  for await (const { source } of sources(context, rest)) {
    if (bytes !== undefined) {
      await context.stdout.write((await readAll(source)).subarray(0, count));
      continue;
    }
    let left = count;
    if (left > 0) {
      for await (const line of readLines(source)) {
        if (!(await context.stdout.write(`${line}\n`)) || --left <= 0) break;
      }
    }
    source.close();
  }
  return 0;
}

async function tail(context: CommandContext): Promise<number> {
  const args = context.args.map((arg) => arg.replace(/^-(\d+)$/, '-n$1'));
  const { values, rest } = parseOptions(args, 'fFqv', 'ncs');
  const bytes = values.get('c');
  for await (const { source } of sources(context, rest)) {
    if (bytes !== undefined) {
      const all = await readAll(source);
      const from = bytes.startsWith('+')
        ? Number(bytes) - 1
        : Math.max(0, all.length - Math.abs(Number(bytes)));
      await context.stdout.write(all.subarray(from));
      continue;
    }
    const count = values.get('n') ?? '10';
    const lines: string[] = [];
    for await (const line of readLines(source)) lines.push(line);
    const from = count.startsWith('+')
      ? Number(count) - 1
      : Math.max(0, lines.length - Math.abs(Number(count)));
    await printAll(context, lines.slice(from));
  }
  return 0;
}

async function wordCount(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'lwcm');
  const some = flags.size > 0;
  for await (const { name, source } of sources(context, rest)) {
    const data = await readAll(source);
    const text = data.toString('utf8');
    const counts: string[] = [];
    if (!some || flags.has('l')) counts.push(String(text.split('\n').length - 1));
    if (!some || flags.has('w')) counts.push(String(text.split(/\s+/).filter((word) => word !== '').length));
    if (!some || flags.has('c')) counts.push(String(data.length));
    if (flags.has('m')) counts.push(String(Array.from(text).length));
    const padded = counts.length > 1 ? counts.map((count) => count.padStart(7)) : counts;
    await context.stdout.write(`${padded.join(' ')}${rest.length > 0 ? ` ${name}` : ''}\n`);
  }
  return 0;
}

async function sort(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'nruifbs', 'kt');
  const lines = await allLines(context, rest);
  const column = Number((values.get('k') ?? '').split(/[,.]/)[0] ?? 0);
  const key = (line: string): string => {
    if (!column) return line;
    return line.trimStart().split(values.get('t') ?? /\s+/)[column - 1] ?? '';
  };
  const compare = (a: string, b: string): number => {
    if (flags.has('n')) return (Number.parseFloat(key(a)) || 0) - (Number.parseFloat(key(b)) || 0);
    const [x, y] = flags.has('f') ? [key(a).toLowerCase(), key(b).toLowerCase()] : [key(a), key(b)];
    return x < y ? -1 : x > y ? 1 : 0;
  };
  lines.sort(compare);
  if (flags.has('r')) lines.reverse();
  return printAll(context, flags.has('u') ? lines.filter((line, at) => line !== lines[at - 1]) : lines);
}

async function unique(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'cdu');
  const groups: { line: string; count: number }[] = [];
  for (const line of await allLines(context, rest)) {
    const last = groups.at(-1);
    if (last?.line === line) last.count++;
    else groups.push({ line, count: 1 });
  }
  const shown = groups.filter(({ count }) =>
    flags.has('d') ? count > 1 : flags.has('u') ? count === 1 : true,
  );
  return printAll(
    context,
    shown.map(({ line, count }) => (flags.has('c') ? `${String(count).padStart(7)} ${line}` : line)),
  );
}

async function cut(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 's', 'dfcb');
  const fields = values.get('f');
  const ranges = (fields ?? values.get('c') ?? values.get('b') ?? '').split(',').map((range) => {
    const [from = '', to] = range.split('-');
    return {
      from: Number(from || 1),
      to: to === undefined ? Number(from) : Number(to || Number.MAX_SAFE_INTEGER),
    };
  });
  const wanted = (index: number): boolean =>
    ranges.some(({ from, to }) => index + 1 >= from && index + 1 <= to);
  const delimiter = values.get('d') ?? '\t';
  const lines: string[] = [];
  for (const line of await allLines(context, rest)) {
    if (fields === undefined)
      lines.push(
        Array.from(line)
          .filter((_char, index) => wanted(index))
          .join(''),
      );
    else if (line.includes(delimiter)) {
      lines.push(
        line
          .split(delimiter)
          .filter((_field, index) => wanted(index))
          .join(delimiter),
      );
    } else if (!flags.has('s')) lines.push(line);
  }
  return printAll(context, lines);
}

async function translate(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'dsc');
  const from = expandSet(rest[0] ?? '');
  const to = expandSet(rest[1] ?? '');
  const text = (await readAll(context.stdin)).toString('utf8');
  let out = '';
  for (const char of text) {
    const at = from.indexOf(char);
    const inSet = flags.has('c') ? at < 0 : at >= 0;
    if (!inSet) out += char;
    else if (!flags.has('d')) {
      const mapped = to.length === 0 ? char : (to[Math.min(Math.max(at, 0), to.length - 1)] ?? char);
      if (!(flags.has('s') && out.endsWith(mapped))) out += mapped;
    }
  }
  await context.stdout.write(out);
  return 0;
}

const CLASSES: Readonly<Record<string, string>> = {
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:digit:]': '0-9',
  '[:space:]': ' \\t\\n\\r',
  '[:alnum:]': 'A-Za-z0-9',
};

function expandSet(text: string): string[] {
  const classes = text.replaceAll(/\[:\w+:\]/g, (name) => CLASSES[name] ?? '');
  const plain = classes.replaceAll(
    /\\([ntr\\])/g,
    (_whole, letter: string) => ({ n: '\n', t: '\t', r: '\r' })[letter] ?? '\\',
  );
  return Array.from(
    plain.replaceAll(/(.)-(.)/gs, (_whole, first: string, last: string) => {
      let range = '';
      for (let code = first.codePointAt(0) ?? 0; code <= (last.codePointAt(0) ?? 0); code++) {
        range += String.fromCodePoint(code);
      }
      return range;
    }),
  );
}

async function tee(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'ai');
  const data: Buffer[] = [];
  for (let chunk = await context.stdin.read(); chunk !== null; chunk = await context.stdin.read()) {
    data.push(chunk);
    await context.stdout.write(chunk);
  }
  let status = 0;
  for (const file of rest) {
    const opened = await context.fs.openForWrite(
      pathOf(context, file),
      flags.has('a') ? 'append' : 'truncate',
    );
    if (!opened.ok) {
      status = await complain(context, `${file}: ${strerror(opened.errno)}`);
      continue;
    }
    try {
      await opened.value.writeFile(Buffer.concat(data));
    } catch {
      status = await complain(context, `${file}: ${strerror('ENOSPC')}`);
    } finally {
      await opened.value.close();
    }
  }
  return status;
}
