import type { PatternChar } from './glob.ts';

/** How many words one may become: what doubles with each pair must not fill the memory. */
const MOST = 10_000;

/** `a{b,c}d` to `abd` and `acd`; braces without a comma stand for themselves. Unlike bash, mksh knows no `{1..3}`. */
export function alternatives(field: readonly PatternChar[]): (readonly PatternChar[])[] {
  const braces = find(field);
  if (!braces) return [field];
  const { open, commas, close } = braces;
  const before = field.slice(0, open);
  const after = field.slice(close + 1);
  const all: (readonly PatternChar[])[] = [];
  const edges = [open, ...commas, close];
  for (let index = 0; index + 1 < edges.length && all.length < MOST; index++) {
    const middle = field.slice((edges[index] ?? 0) + 1, edges[index + 1]);
    all.push(...alternatives([...before, ...middle, ...after]));
  }
  return all;
}

interface Braces {
  readonly open: number;
  readonly commas: readonly number[];
  readonly close: number;
}

/** The first pair of braces with a comma of its own. */
function find(field: readonly PatternChar[]): Braces | null {
  for (const [open, start] of field.entries()) {
    if (start.quoted || start.char !== '{') continue;
    const commas: number[] = [];
    let depth = 0;
    for (let at = open; at < field.length; at++) {
      const { char, quoted } = field[at] ?? { char: '', quoted: true };
      if (quoted) continue;
      if (char === '{') depth++;
      else if (char === ',' && depth === 1) commas.push(at);
      else if (char === '}' && --depth === 0) {
        if (commas.length > 0) return { open, commas, close: at };
        break;
      }
    }
  }
  return null;
}
