import type { UserFs } from '../fs/user-fs.ts';
import { join, normalize } from '../fs/paths.ts';

/** A character of a pattern; a quoted one stands for itself. */
export interface PatternChar {
  readonly char: string;
  readonly quoted: boolean;
}

export function hasWildcard(pattern: readonly PatternChar[]): boolean {
  return pattern.some(({ char, quoted }) => !quoted && (char === '*' || char === '?' || char === '['));
}

export function toPattern(text: string): PatternChar[] {
  return Array.from(text, (char) => ({ char, quoted: false }));
}

/** A shell pattern as a regular expression over a whole name (or, for `${x#p}`, over any text). */
export function patternRegExp(pattern: readonly PatternChar[], shortest = false): RegExp {
  let source = '';
  const many = shortest ? '*?' : '*';
  for (let at = 0; at < pattern.length; at++) {
    const { char, quoted } = pattern[at] ?? { char: '', quoted: true };
    if (quoted) source += escape(char);
    else if (char === '*') source += `[\\s\\S]${many}`;
    else if (char === '?') source += '[\\s\\S]';
    else if (char === '[') {
      const end = pattern.findIndex((other, index) => index > at + 1 && other.char === ']');
      if (end < 0) source += '\\[';
      else {
        const inner = pattern
          .slice(at + 1, end)
          .map((each) => each.char)
          .join('');
        source += `[${inner.replace(/^!/, '^').replaceAll('\\', '\\\\').replaceAll('[', '\\[')}]`;
        at = end;
      }
    } else source += escape(char);
  }
  return new RegExp(source, 'u');
}

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
      if (index === segments.length - 1 && index > 0) found = found.map((path) => `${path}/`);
      continue;
    }
    const next: string[] = [];
    for (const path of found) next.push(...(await expandSegment(path, segment, cwd, fs)));
    found = next;
  }
  return found;
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
