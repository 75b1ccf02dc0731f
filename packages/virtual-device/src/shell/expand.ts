import { evaluate } from './arith.ts';
import type { Word, WordPart } from './ast.ts';
import { alternatives } from './braces.ts';
import { expandGlob, hasWildcard } from './glob.ts';
import type { Expander } from './expander.ts';
import type { PatternChar } from './glob.ts';
import { listOf, parameter, replacement } from './parameters.ts';
import type { ShellState } from './state.ts';

/**
 * A piece of an expanded word: a character, or where it is split. `blank` and `mark` come from the value of an
 * expansion and are characters of IFS: white space, and others. `split` parts the fields of `"$@"`; `empty` makes a
 * field of what has no characters, as quotes do.
 */
type Piece = PatternChar | 'blank' | 'mark' | 'split' | 'empty';

/** How a word is expanded: into fields, into one, or as what stands behind `:-` and must be split like a value. */
type Mode = 'fields' | 'single' | 'value';

/** Words to arguments: expansion, splitting at blanks, braces, names of files. */
export async function expandWords(words: readonly Word[], on: Expander): Promise<string[]> {
  const fields: string[] = [];
  const names = !on.state.options.has('noglob');
  for (const word of words) {
    for (const field of split(await pieces(word, on, 'fields'))) {
      for (const each of names ? alternatives(field) : [field]) {
        const found = names && hasWildcard(each) ? await expandGlob(each, on.state.cwd, on.fs) : [];
        if (found.length > 0) fields.push(...found);
        else fields.push(textOf(each));
      }
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
  const list = part.kind === 'param' ? listOf(part, on.state) : null;
  if (list) return several(list.values, list.sign, part.quoted, on.state, mode);
  const inner = part.kind === 'param' ? await replacement(part, on) : null;
  if (inner) {
    // What stands behind `:-` keeps its own quotes.
    const found = await pieces(inner, on, mode === 'single' ? 'single' : 'value');
    const none = part.kind === 'param' && part.name === '@' && inner.length === 0;
    return part.quoted && !none ? [...found, 'empty'] : found;
  }
  const value = await valueOf(part, on);
  if (part.quoted) return [...literal(value, true), 'empty'];
  return mode === 'single' ? literal(value, false) : fieldSplit(value, on.state);
}

function literal(text: string, quoted: boolean): PatternChar[] {
  return Array.from(text, (char) => ({ char, quoted }));
}

/** `~` is `$HOME`, `~+` the folder one is in, `~-` the one before. */
function tilde(text: string, state: ShellState): string {
  const [sign] = /^~[+-]?(?=$|\/)/.exec(text) ?? [];
  if (sign === undefined) return text;
  const home = state.vars.get(sign === '~-' ? 'OLDPWD' : 'HOME');
  const folder = sign === '~+' ? state.cwd : home;
  return folder === undefined ? text : folder + text.slice(sign.length);
}

/** `"$@"` and its like. */
function several(
  args: readonly string[],
  sign: '@' | '*',
  quoted: boolean,
  state: ShellState,
  mode: Mode,
): Piece[] {
  const separator = (state.vars.get('IFS') ?? ' ').slice(0, 1);
  if (quoted && sign === '*') return [...literal(args.join(separator), true), 'empty'];
  if (mode === 'single') return literal(args.join(sign === '*' ? separator : ' '), quoted);
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
  if (part.kind === 'arith') return String(evaluate(await expandSingle(part.expression, on), on.state.vars));
  return parameter(part, on);
}
