import { evaluate } from './arith.ts';
import type { Script, Word, WordPart } from './ast.ts';
import { expandGlob, hasWildcard, matchesWhole, patternRegExp } from './glob.ts';
import type { PatternChar } from './glob.ts';
import type { ShellState } from './state.ts';
import type { UserFs } from '../fs/user-fs.ts';

export interface Expander {
  readonly state: ShellState;
  readonly fs: UserFs;
  /** Runs `$( … )`; the value is what it printed. */
  substitute(script: Script): Promise<string>;
  /** `${x:?word}` and bad arithmetic: prints the message and ends the shell. */
  fatal(message: string): Promise<void>;
}

/** A piece of an expanded word: where it may be split, and which characters may be wildcards. */
type Piece = PatternChar | 'split' | 'empty';

/** Words to arguments: expansion, splitting at blanks, names of files. */
export async function expandWords(words: readonly Word[], on: Expander): Promise<string[]> {
  const fields: string[] = [];
  for (const word of words) {
    for (const field of split(await pieces(word, on))) {
      const names = hasWildcard(field) ? await expandGlob(field, on.state.cwd, on.fs) : [];
      if (names.length > 0) fields.push(...names);
      else fields.push(textOf(field));
    }
  }
  return fields;
}

/** A word that stays one: the value of an assignment, the target of a redirect. */
export async function expandSingle(word: Word, on: Expander): Promise<string> {
  const all = await pieces(word, on, true);
  return all.map((piece) => (piece === 'split' ? ' ' : piece === 'empty' ? '' : piece.char)).join('');
}

/** A word as a pattern: quoted characters stand for themselves. */
export async function expandPattern(word: Word, on: Expander): Promise<PatternChar[]> {
  const all = await pieces(word, on, true);
  return all.flatMap((piece) => (typeof piece === 'string' ? [] : [piece]));
}

function textOf(field: readonly PatternChar[]): string {
  return field.map(({ char }) => char).join('');
}

function split(all: readonly Piece[]): PatternChar[][] {
  const fields: PatternChar[][] = [];
  let current: PatternChar[] | null = null;
  for (const piece of all) {
    if (piece === 'split') {
      if (current) fields.push(current);
      current = null;
    } else if (piece === 'empty') current ??= [];
    else (current ??= []).push(piece);
  }
  if (current) fields.push(current);
  return fields;
}

async function pieces(word: Word, on: Expander, single = false): Promise<Piece[]> {
  const all: Piece[] = [];
  for (const [index, part] of word.entries()) {
    if (part.kind === 'text') {
      const text = index === 0 && !part.quoted ? tilde(part.text, on.state) : part.text;
      all.push(...literal(text, part.quoted));
      if (part.quoted) all.push('empty');
      continue;
    }
    if (part.kind === 'param' && (part.name === '@' || part.name === '*') && part.op === '') {
      all.push(...positional(part.name, part.quoted, on.state));
      continue;
    }
    const value = await valueOf(part, on);
    if (part.quoted || single) {
      all.push(...literal(value, part.quoted), 'empty');
    } else {
      all.push(...fieldSplit(value, on.state));
    }
  }
  return all;
}

function literal(text: string, quoted: boolean): PatternChar[] {
  return Array.from(text, (char) => ({ char, quoted }));
}

function tilde(text: string, state: ShellState): string {
  return /^~(?=$|\/)/.test(text) ? (state.vars.get('HOME') ?? '/') + text.slice(1) : text;
}

function positional(name: string, quoted: boolean, state: ShellState): Piece[] {
  const args = state.positional;
  if (quoted && name === '*') return [...literal(args.join(' '), true), 'empty'];
  return args.flatMap((arg, index): Piece[] => [
    ...(index > 0 ? (['split'] as const) : []),
    ...(quoted ? literal(arg, true) : fieldSplit(arg, state)),
    ...(quoted ? (['empty'] as const) : []),
  ]);
}

function fieldSplit(value: string, state: ShellState): Piece[] {
  const ifs = state.vars.get('IFS') ?? ' \t\n';
  return Array.from(value, (char): Piece => (ifs.includes(char) ? 'split' : { char, quoted: false }));
}

async function valueOf(part: Exclude<WordPart, { kind: 'text' }>, on: Expander): Promise<string> {
  if (part.kind === 'command') return (await on.substitute(part.script)).replace(/\n+$/, '');
  if (part.kind === 'arith') {
    const expression = await expandSingle(part.expression, on);
    const value = evaluate(expression, (name) => on.state.vars.get(name) ?? '');
    if (value === null) await on.fatal(`${expression}: bad arithmetic`);
    return String(value ?? '');
  }
  return parameter(part, on);
}

async function parameter(part: Extract<WordPart, { kind: 'param' }>, on: Expander): Promise<string> {
  const value = lookUp(part.name, on.state);
  const { op } = part;
  if (op === '') return value ?? '';
  if (op === '#len') return String(Array.from(value ?? '').length);
  if (op.startsWith('#') || op.startsWith('%'))
    return trim(value ?? '', op, await expandPattern(part.word, on));
  const missing = value === undefined || (op.startsWith(':') && value === '');
  switch (op.at(-1)) {
    case '-':
      return missing ? expandSingle(part.word, on) : value;
    case '+':
      return missing ? '' : expandSingle(part.word, on);
    case '=': {
      if (!missing) return value;
      const word = await expandSingle(part.word, on);
      on.state.vars.set(part.name, word);
      return word;
    }
    default: {
      if (!missing) return value;
      await on.fatal(`${part.name}: ${(await expandSingle(part.word, on)) || 'parameter null or not set'}`);
      return '';
    }
  }
}

function lookUp(name: string, state: ShellState): string | undefined {
  if (/^\d+$/.test(name)) return name === '0' ? 'sh' : state.positional[Number(name) - 1];
  switch (name) {
    case '?':
      return String(state.lastStatus);
    case '#':
      return String(state.positional.length);
    case '$':
      return String(state.pid);
    case '!':
    case '-':
      return '';
    case '@':
    case '*':
      return state.positional.join(' ');
    case 'PWD':
      return state.cwd;
    case 'RANDOM':
      return String(Math.floor(Math.random() * 32_768));
    default:
      return state.vars.get(name);
  }
}

/** `#` and `##` cut the shortest and longest start that fits, `%` and `%%` the end. */
function trim(value: string, op: string, pattern: readonly PatternChar[]): string {
  if (op.startsWith('#')) {
    const source = patternRegExp(pattern, op === '#').source;
    return value.replace(new RegExp(`^(?:${source})`, 'u'), '');
  }
  const cuts = [...Array(value.length + 1).keys()];
  const order = op === '%' ? cuts.reverse() : cuts;
  const at = order.find((cut) => matchesWhole(pattern, value.slice(cut)));
  return at === undefined ? value : value.slice(0, at);
}
