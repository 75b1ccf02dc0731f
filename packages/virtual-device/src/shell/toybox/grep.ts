import { join } from '../../fs/paths.ts';
import { readAll, readLines } from '../../io/bytes.ts';
import type { ByteSource } from '../../io/bytes.ts';
import { complain, parseOptions, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { matchesWhole, toPattern } from '../glob.ts';
import { bytesOf, sources } from './inputs.ts';
import { posixRegExp } from './posix-regexp.ts';

export const GREP_COMMANDS: readonly (readonly [string, Command])[] = [
  ['grep', grep],
  ['egrep', (context) => grep({ ...context, args: ['-E', ...context.args] })],
  ['fgrep', (context) => grep({ ...context, args: ['-F', ...context.args] })],
];

const LONG_NAMES = {
  include: 'M',
  exclude: 'S',
  'exclude-dir': 'D',
  'line-buffered': 'u',
  color: 'y',
  colour: 'y',
  'ignore-case': 'i',
  'invert-match': 'v',
  count: 'c',
  recursive: 'r',
  quiet: 'q',
  'only-matching': 'o',
  'line-number': 'n',
  'word-regexp': 'w',
  'files-with-matches': 'l',
};

/** What a line is compared with, and how much of what fits is shown. */
interface Search {
  readonly flags: ReadonlySet<string>;
  readonly expressions: readonly RegExp[];
  readonly before: number;
  readonly after: number;
  readonly limit: number;
  readonly titled: boolean;
  /** What ends a line of the input. */
  readonly end: string;
}

async function grep(context: CommandContext): Promise<number> {
  const { args, patterns } = takePatterns(context.args);
  const options = parseOptions(args, 'EFGPivnclqhHsworRaIzZLbuyx', 'fABCmMSD', LONG_NAMES);
  const { flags, values, rest, unknown } = options;
  if (unknown !== null) return complain(context, `Unknown option '${unknown.replace(/^-+/, '')}'`, 2);
  const list = values.get('f');
  if (list !== undefined) {
    const text = await bytesOf(context, list);
    if (text === null) return 2;
    patterns.push(...text.toString('utf8').replace(/\n$/, '').split('\n'));
  }
  const files = [...rest];
  if (patterns.length === 0 && list === undefined) {
    const pattern = files.shift();
    if (pattern === undefined) return complain(context, 'no REGEX', 2);
    patterns.push(...pattern.split('\n'));
  }
  const expressions: RegExp[] = [];
  for (const pattern of patterns) {
    const expression = toRegExp(pattern, flags);
    if (!expression) return complain(context, `bad REGEX '${pattern}'`, 2);
    expressions.push(expression);
  }
  const recursive = flags.has('r') || flags.has('R');
  const around = Number(values.get('C') ?? 0);
  const search: Search = {
    flags,
    expressions,
    before: Number(values.get('B') ?? around),
    after: Number(values.get('A') ?? around),
    limit: Number(values.get('m') ?? Number.POSITIVE_INFINITY),
    titled: (files.length > 1 || recursive || flags.has('H')) && !flags.has('h'),
    end: flags.has('z') ? '\0' : '\n',
  };
  const named = recursive ? await filesBelow(context, files.length > 0 ? files : ['.'], values) : files;
  return searchAll(context, search, named);
}

async function searchAll(context: CommandContext, search: Search, files: readonly string[]): Promise<number> {
  const { flags } = search;
  let found = false;
  let status = 0;
  const quiet = flags.has('s') ? { ...context, stderr: { write: () => Promise.resolve(true) } } : context;
  for await (const { name, source } of sources(quiet, files, () => (status = 2))) {
    const title = name === '-' ? '(standard input)' : name;
    const outcome = await searchOne(context, search, title, source);
    if (outcome.gone) return 141;
    found ||= outcome.count > 0;
    if (found && flags.has('q')) return 0;
  }
  return found ? 0 : status === 0 ? 1 : status;
}

/** `-e` may come several times, which other options do not. */
function takePatterns(args: readonly string[]): { readonly args: string[]; readonly patterns: string[] } {
  const left: string[] = [];
  const patterns: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') return { args: [...left, ...args.slice(at)], patterns };
    const [, others = '', value] = /^-([a-zA-Z]*?)e(.*)$/s.exec(arg) ?? [];
    if (value === undefined || /[fABCmMS]/.test(others)) left.push(arg);
    else {
      if (others !== '') left.push(`-${others}`);
      patterns.push(...(value === '' ? (args[++at] ?? '') : value).split('\n'));
    }
  }
  return { args: left, patterns };
}

function toRegExp(pattern: string, flags: ReadonlySet<string>): RegExp | null {
  try {
    const letters = flags.has('i') ? 'gi' : 'g';
    const plain = pattern.replaceAll(/[$()*+.?[\\\]^{|}/]/g, '\\$&');
    const { source } = flags.has('F')
      ? new RegExp(plain === '' ? '(?:)' : plain)
      : posixRegExp(pattern, flags.has('E') || flags.has('P'), '');
    const whole = flags.has('x')
      ? `^(?:${source})$`
      : flags.has('w')
        ? `(?<!\\w)(?:${source})(?!\\w)`
        : source;
    return new RegExp(whole, letters);
  } catch {
    return null;
  }
}

interface Outcome {
  readonly count: number;
  /** Nobody reads what is printed any more. */
  readonly gone: boolean;
}

async function searchOne(
  context: CommandContext,
  { flags, expressions, before, after, limit, titled, end }: Search,
  name: string,
  source: ByteSource,
): Promise<Outcome> {
  const silent = ['q', 'l', 'L', 'c'].some((flag) => flags.has(flag));
  const write = (text: string): Promise<boolean> => context.stdout.write(text);
  const prefix = (mark: ':' | '-', number: number, offset: number): string =>
    (titled ? `${name}${flags.has('Z') ? '\0' : mark}` : '') +
    (flags.has('n') ? `${number}${mark}` : '') +
    (flags.has('b') ? `${offset}${mark}` : '');
  const earlier: { readonly line: string; readonly number: number; readonly offset: number }[] = [];
  let count = 0;
  let number = 0;
  let offset = 0;
  let lastShown = 0;
  let show = 0;
  for await (const line of endedLines(source, end)) {
    number++;
    const at = offset;
    offset += Buffer.byteLength(line) + 1;
    const matches = expressions.flatMap((each) => [...line.matchAll(each)]);
    if (matches.length > 0 === flags.has('v')) {
      if (silent || flags.has('o')) continue;
      if (show > 0) {
        show--;
        lastShown = number;
        if (!(await write(`${prefix('-', number, at)}${line}${end}`))) return { count, gone: true };
      } else if (before > 0) {
        earlier.push({ line, number, offset: at });
        if (earlier.length > before) earlier.shift();
      }
      continue;
    }
    count++;
    if (line.includes('\0') && !silent && !flags.has('a') && !flags.has('o')) {
      await write(`Binary file ${name} matches\n`);
      break;
    }
    if (flags.has('q') || flags.has('l') || flags.has('L')) break;
    if (!silent) {
      const first = earlier[0]?.number ?? number;
      let text = (before > 0 || after > 0) && lastShown > 0 && first > lastShown + 1 ? '--\n' : '';
      for (const each of earlier.splice(0))
        text += `${prefix('-', each.number, each.offset)}${each.line}${end}`;
      if (flags.has('o')) {
        const parts = matches.filter(([part]) => part !== '').sort((a, b) => a.index - b.index);
        for (const part of parts) text += `${prefix(':', number, at + part.index)}${part[0]}${end}`;
      } else text += `${prefix(':', number, at)}${line}${end}`;
      if (text !== '' && !(await write(text))) return { count, gone: true };
      lastShown = number;
      show = after;
    }
    if (count >= limit) break;
  }
  source.close();
  if (flags.has('c')) await write(`${titled ? `${name}:` : ''}${count}\n`);
  if ((flags.has('l') && count > 0) || (flags.has('L') && count === 0))
    await write(`${name}${flags.has('Z') ? '\0' : '\n'}`);
  return { count, gone: false };
}

/** Lines as they come: `logcat | grep` shows each at once; what ends with a zero is read whole. */
async function* endedLines(source: ByteSource, end: string): AsyncGenerator<string> {
  if (end === '\n') {
    yield* readLines(source);
    return;
  }
  const lines = (await readAll(source)).toString('utf8').split(end);
  if (lines.at(-1) === '') lines.pop();
  yield* lines;
}

/** All files in the named folders and below, in the order of their names; a link is not followed. */
async function filesBelow(
  context: CommandContext,
  paths: readonly string[],
  options: ReadonlyMap<string, string>,
  top = true,
): Promise<string[]> {
  const fits = (letter: string, path: string): boolean => {
    const pattern = options.get(letter);
    return pattern !== undefined && matchesWhole(toPattern(pattern), path.slice(path.lastIndexOf('/') + 1));
  };
  const found: string[] = [];
  for (const path of paths) {
    const node = await context.fs.stat(pathOf(context, path), top);
    const isFolder = node.ok && node.value.kind === 'directory';
    const names = isFolder ? await context.fs.readdir(pathOf(context, path)) : null;
    if (names?.ok) {
      if (!top && fits('D', path)) continue;
      const children = names.value.toSorted().map((name) => (path === '.' ? name : join(path, name)));
      found.push(...(await filesBelow(context, children, options, false)));
    } else if (!(options.has('M') && !fits('M', path)) && !fits('S', path)) found.push(path);
  }
  return found;
}
