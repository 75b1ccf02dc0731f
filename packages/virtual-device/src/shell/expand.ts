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

/**
 * A piece of an expanded word: a character, or where it is split. `blank` and `mark` come from the value of an
 * expansion and are characters of IFS: white space, and others. `split` parts the fields of `"$@"`; `empty` makes a
 * field of what has no characters, as quotes do.
 */
type Piece = PatternChar | 'blank' | 'mark' | 'split' | 'empty';

/** How a word is expanded: into fields, into one, or as what stands behind `:-` and must be split like a value. */
type Mode = 'fields' | 'single' | 'value';

/** Words to arguments: expansion, splitting at blanks, names of files. */
export async function expandWords(words: readonly Word[], on: Expander): Promise<string[]> {
  const fields: string[] = [];
  for (const word of words) {
    for (const field of split(await pieces(word, on, 'fields'))) {
      const names = hasWildcard(field) ? await expandGlob(field, on.state.cwd, on.fs) : [];
      if (names.length > 0) fields.push(...names);
      else fields.push(textOf(field));
    }
  }
  return fields;
}

/** A word that stays one: the value of an assignment, the target of a redirect. */
export async function expandSingle(word: Word, on: Expander): Promise<string> {
  return textOf(await expandPattern(word, on));
}

/** A word as a pattern: quoted characters stand for themselves. */
export async function expandPattern(word: Word, on: Expander): Promise<PatternChar[]> {
  const all = await pieces(word, on, 'single');
  return all.flatMap((piece) => {
    if (piece === 'split') return [{ char: ' ', quoted: false }];
    return typeof piece === 'string' ? [] : [piece];
  });
}

function textOf(field: readonly PatternChar[]): string {
  return field.map(({ char }) => char).join('');
}

/** POSIX 2.6.5: white space of IFS around another character of it belongs to that one, which ends a field by itself. */
function split(all: readonly Piece[]): PatternChar[][] {
  const fields: PatternChar[][] = [];
  let current: PatternChar[] | null = null;
  let afterBlank = false;
  for (const piece of all) {
    switch (piece) {
      case 'split':
      case 'blank':
        if (current) fields.push(current);
        afterBlank = piece === 'blank' && (current !== null || afterBlank);
        current = null;
        break;
      case 'mark':
        if (current) fields.push(current);
        else if (!afterBlank) fields.push([]);
        afterBlank = false;
        current = null;
        break;
      case 'empty':
        current ??= [];
        afterBlank = false;
        break;
      default:
        (current ??= []).push(piece);
        afterBlank = false;
    }
  }
  if (current) fields.push(current);
  return fields;
}

async function pieces(word: Word, on: Expander, mode: Mode): Promise<Piece[]> {
  const all: Piece[] = [];
  for (const [index, part] of word.entries()) {
    if (part.kind === 'text') {
      const text = index === 0 && !part.quoted ? tilde(part.text, on.state) : part.text;
      if (!part.quoted && mode === 'value') all.push(...fieldSplit(text, on.state));
      else all.push(...literal(text, part.quoted));
      if (part.quoted) all.push('empty');
    } else all.push(...(await expanded(part, on, mode)));
  }
  return all;
}

async function expanded(
  part: Exclude<WordPart, { kind: 'text' }>,
  on: Expander,
  mode: Mode,
): Promise<Piece[]> {
  if (part.kind === 'param' && (part.name === '@' || part.name === '*') && part.op === '')
    return positional(part.name, part.quoted, on.state, mode);
  const inner = part.kind === 'param' ? await replacement(part, on) : null;
  if (inner) {
    // What stands behind `:-` keeps its own quotes.
    const found = await pieces(inner, on, mode === 'single' ? 'single' : 'value');
    return part.quoted ? [...found, 'empty'] : found;
  }
  const value = await valueOf(part, on);
  if (part.quoted) return [...literal(value, true), 'empty'];
  return mode === 'single' ? literal(value, false) : fieldSplit(value, on.state);
}

function literal(text: string, quoted: boolean): PatternChar[] {
  return Array.from(text, (char) => ({ char, quoted }));
}

function tilde(text: string, state: ShellState): string {
  return /^~(?=$|\/)/.test(text) ? (state.vars.get('HOME') ?? '/') + text.slice(1) : text;
}

function positional(name: string, quoted: boolean, state: ShellState, mode: Mode): Piece[] {
  const args = state.positional;
  const separator = (state.vars.get('IFS') ?? ' ').slice(0, 1);
  if (quoted && name === '*') return [...literal(args.join(separator), true), 'empty'];
  if (mode === 'single') return literal(args.join(name === '*' ? separator : ' '), quoted);
  return args.flatMap((arg, index): Piece[] => [
    ...(index > 0 ? (['split'] as const) : []),
    ...(quoted ? literal(arg, true) : fieldSplit(arg, state)),
    ...(quoted ? (['empty'] as const) : []),
  ]);
}

function fieldSplit(value: string, state: ShellState): Piece[] {
  const ifs = state.vars.get('IFS') ?? ' \t\n';
  return Array.from(value, (char): Piece => {
    if (!ifs.includes(char)) return { char, quoted: false };
    return ' \t\n'.includes(char) ? 'blank' : 'mark';
  });
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

type Param = Extract<WordPart, { kind: 'param' }>;

/** The word behind `-` or `+` where it takes the place of the parameter; `null` where the value stays. */
async function replacement(part: Param, on: Expander): Promise<Word | null> {
  const { op } = part;
  if (op === '' || op.startsWith('#') || op.startsWith('%')) return null;
  const value = lookUp(part.name, on.state);
  const missing = value === undefined || (op.startsWith(':') && value === '');
  if (op.endsWith('-')) return missing ? part.word : null;
  if (op.endsWith('+')) return missing ? [] : part.word;
  return null;
}

async function parameter(part: Param, on: Expander): Promise<string> {
  const value = lookUp(part.name, on.state);
  const { op } = part;
  if (op === '#len') return length(part.name, value, on.state);
  if (op.startsWith('#') || op.startsWith('%'))
    return trim(value ?? '', op, await expandPattern(part.word, on));
  const missing = value === undefined || (op.startsWith(':') && value === '');
  if (!missing || op === '' || op.endsWith('-') || op.endsWith('+')) return value ?? '';
  const word = await expandSingle(part.word, on);
  if (op.endsWith('=')) on.state.vars.set(part.name, word);
  else await on.fatal(`${part.name}: ${word || 'parameter null or not set'}`);
  return op.endsWith('=') ? word : '';
}

function length(name: string, value: string | undefined, state: ShellState): string {
  if (name === '@' || name === '*') return String(state.positional.length);
  return String(Array.from(value ?? '').length);
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
      return String(state.jobs.last ?? '');
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
