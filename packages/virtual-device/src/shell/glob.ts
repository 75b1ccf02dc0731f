import type { UserFs } from '../fs/user-fs.ts';
import { join, normalize } from '../fs/paths.ts';
import { CHARACTER_CLASSES } from './character-classes.ts';

/** A character of a pattern; a quoted one stands for itself. */
export interface PatternChar {
  readonly char: string;
  readonly quoted: boolean;
}

export function hasWildcard(pattern: readonly PatternChar[]): boolean {
  return pattern.some(
    ({ char, quoted }, at) =>
      !quoted && ('*?['.includes(char) || ('@+!'.includes(char) && pattern[at + 1]?.char === '(')),
  );
}

export function toPattern(text: string): PatternChar[] {
  return Array.from(text, (char) => ({ char, quoted: false }));
}

/** Korn's lists of patterns, `+(a|b)`, and what they are as a regular expression. */
const LISTS: Readonly<Record<string, string>> = { '@': '', '*': '*', '+': '+', '?': '?' };

/** A shell pattern as a regular expression over a whole name (or, for `${x#p}`, over any text). */
export function patternRegExp(pattern: readonly PatternChar[], shortest = false): RegExp {
  return new RegExp(new PatternReader(pattern, shortest).source(), 'u');
}

class PatternReader {
  readonly #pattern: readonly PatternChar[];
  readonly #many: string;
  #at = 0;

  constructor(pattern: readonly PatternChar[], shortest: boolean) {
    this.#pattern = pattern;
    this.#many = shortest ? '*?' : '*';
  }

  source(inList = false): string {
    let source = '';
    for (; this.#at < this.#pattern.length; this.#at++) {
      const { char, quoted } = this.#pattern[this.#at] ?? { char: '', quoted: true };
      if (!quoted && inList && (char === '|' || char === ')')) break;
      source += quoted ? escape(char) : (this.#list(char) ?? this.#special(char));
    }
    return source;
  }

  #special(char: string): string {
    if (char === '*') return `[\\s\\S]${this.#many}`;
    if (char === '?') return '[\\s\\S]';
    return char === '[' ? this.#set() : escape(char);
  }

  /** `@(a|b)` and its like, with the closing bracket as the last character taken; null for what is none. */
  #list(char: string): string | null {
    const next = this.#pattern[this.#at + 1];
    if (!(char in LISTS || char === '!') || next?.char !== '(' || next.quoted) return null;
    const start = this.#at;
    this.#at += 2;
    const branches = [this.source(true)];
    while (this.#pattern[this.#at]?.char === '|') {
      this.#at++;
      branches.push(this.source(true));
    }
    if (this.#pattern[this.#at]?.char !== ')') {
      this.#at = start;
      return null;
    }
    const inner = branches.join('|');
    if (char !== '!') return `(?:${inner})${LISTS[char] ?? ''}`;
    const end = this.#at;
    const rest = this.#pattern.slice(end + 1);
    const after = new PatternReader(rest, false).source();
    return `(?!(?:${inner})${after}$)[\\s\\S]*?`;
  }

  /** `[a-z]`, `[!a]`, `[[:alpha:]]`; one without its end stands for itself. */
  #set(): string {
    const start = this.#at + 1;
    const negated = ['!', '^'].includes(this.#pattern[start]?.char ?? '') && !this.#pattern[start]?.quoted;
    let inner = '';
    for (let at = start + (negated ? 1 : 0); at < this.#pattern.length; at++) {
      const { char, quoted } = this.#pattern[at] ?? { char: '', quoted: true };
      if (char === ']' && !quoted && inner !== '') {
        this.#at = at;
        return `[${negated ? '^' : ''}${inner}]`;
      }
      const text = this.#pattern
        .slice(at, at + LONGEST_CLASS)
        .map((each) => each.char)
        .join('');
      const [whole, name = ''] = /^\[:([a-z]+):\]/.exec(text) ?? [];
      if (whole !== undefined && name in CHARACTER_CLASSES) {
        inner += CHARACTER_CLASSES[name] ?? '';
        at += whole.length - 1;
      } else inner += char === '-' && !quoted ? char : char.replace(/[\\[\]^-]/, '\\$&');
    }
    return '\\[';
  }
}

const LONGEST_CLASS = 12;

export function matchesWhole(pattern: readonly PatternChar[], text: string): boolean {
  return new RegExp(`^(?:${patternRegExp(pattern).source})$`, 'u').test(text);
}

function escape(char: string): string {
  return char.replaceAll(/[$()*+.?[\\\]^{|}/]/g, '\\$&');
}

/** The names that fit, sorted; empty when none does. */
export async function expandGlob(
  pattern: readonly PatternChar[],
  cwd: string,
  fs: UserFs,
): Promise<string[]> {
  const absolute = pattern[0]?.char === '/';
  const segments: PatternChar[][] = [[]];
  for (const each of pattern) {
    if (each.char === '/') segments.push([]);
    else segments.at(-1)?.push(each);
  }
  let found = [absolute ? '/' : ''];
  for (const [index, segment] of segments.entries()) {
    if (segment.length === 0) {
      if (index === segments.length - 1 && index > 0) found = await folders(found, cwd, fs);
      continue;
    }
    const next: string[] = [];
    for (const path of found) next.push(...(await expandSegment(path, segment, cwd, fs)));
    found = next;
  }
  return found;
}

/** What is behind a slash at the end: folders only. */
async function folders(paths: readonly string[], cwd: string, fs: UserFs): Promise<string[]> {
  const kept: string[] = [];
  for (const path of paths) {
    const found = await fs.stat(normalize(path, cwd));
    if (found.ok && found.value.kind === 'directory') kept.push(`${path}/`);
  }
  return kept;
}

async function expandSegment(
  folder: string,
  segment: readonly PatternChar[],
  cwd: string,
  fs: UserFs,
): Promise<string[]> {
  const under = (name: string): string => (folder === '' ? name : join(folder, name));
  if (!hasWildcard(segment)) {
    const path = under(segment.map(({ char }) => char).join(''));
    return (await fs.stat(normalize(path, cwd), false)).ok ? [path] : [];
  }
  const names = await fs.readdir(normalize(folder === '' ? '.' : folder, cwd));
  if (!names.ok) return [];
  const hidden = segment[0]?.char === '.';
  return names.value
    .filter((name) => (hidden || !name.startsWith('.')) && matchesWhole(segment, name))
    .map(under);
}
