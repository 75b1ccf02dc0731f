import { join } from '../../fs/paths.ts';
import { complain, parseOptions, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { baseName } from '../../fs/paths.ts';
import { bytesOf } from './inputs.ts';

export const DIFF_COMMANDS: readonly (readonly [string, Command])[] = [['diff', diff]];

/** Lines beside a change in the unified form. */
const CONTEXT = 3;

/** A run of lines: those `from` up to `to` of one file stand where those of the other do. */
interface Change {
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
}

/** `diff [-abBdiqrstuNw] [-U lines] one other`: 0 when they are the same, 1 when they differ, 2 for trouble. */
async function diff(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'abBdiqrstuNwT', 'ULS');
  const [one, other] = rest;
  if (one === undefined || other === undefined) return complain(context, 'needs 2 arguments', 2);
  const inFolder = async (path: string): Promise<boolean> => {
    const found = path === '-' ? null : await context.fs.stat(pathOf(context, path));
    return found?.ok === true && found.value.kind === 'directory';
  };
  const folders = [await inFolder(one), await inFolder(other)];
  if (folders[0] && folders[1]) return diffFolders(context, one, other, flags);
  const a = folders[0] ? join(one, baseName(other)) : one;
  const b = folders[1] ? join(other, baseName(one)) : other;
  const wanted = values.get('U') === undefined ? (flags.has('u') ? CONTEXT : null) : Number(values.get('U'));
  return diffFiles(context, a, b, flags, wanted);
}

async function diffFolders(
  context: CommandContext,
  one: string,
  other: string,
  flags: ReadonlySet<string>,
): Promise<number> {
  const namesIn = async (path: string): Promise<string[]> => {
    const names = await context.fs.readdir(pathOf(context, path));
    return names.ok ? names.value : [];
  };
  const [left, right] = [await namesIn(one), await namesIn(other)];
  let status = 0;
  for (const name of [...new Set([...left, ...right])].sort()) {
    const only = !left.includes(name) ? other : !right.includes(name) ? one : null;
    if (only !== null) {
      await context.stdout.write(`Only in ${only}: ${name}\n`);
      status = Math.max(status, 1);
      continue;
    }
    const [a, b] = [join(one, name), join(other, name)];
    const stats = [await context.fs.stat(pathOf(context, a)), await context.fs.stat(pathOf(context, b))];
    const isFolder = stats.some((stat) => stat.ok && stat.value.kind === 'directory');
    if (isFolder) {
      if (flags.has('r')) status = Math.max(status, await diffFolders(context, a, b, flags));
      else await context.stdout.write(`Common subdirectories: ${a} and ${b}\n`);
    } else status = Math.max(status, await diffFiles(context, a, b, flags, flags.has('u') ? CONTEXT : null));
  }
  return status;
}

async function diffFiles(
  context: CommandContext,
  a: string,
  b: string,
  flags: ReadonlySet<string>,
  around: number | null,
): Promise<number> {
  const [one, other] = [await bytesOf(context, a), await bytesOf(context, b)];
  if (one === null || other === null) return 2;
  const same = one.equals(other);
  if (same) {
    if (flags.has('s')) await context.stdout.write(`Files ${a} and ${b} are identical\n`);
    return 0;
  }
  const [left, right] = [linesOf(one), linesOf(other)];
  const changes = changesBetween(
    left.map((line) => key(line, flags)),
    right.map((line) => key(line, flags)),
  );
  if (changes.length === 0) return 0;
  if (flags.has('q') || [one, other].some((data) => data.includes(0))) {
    const what = flags.has('q') ? 'Files' : 'Binary files';
    await context.stdout.write(`${what} ${a} and ${b} differ\n`);
    return 1;
  }
  const text = around === null ? normal(changes, left, right) : unified(changes, left, right, around, [a, b]);
  await context.stdout.write(text);
  return 1;
}

/** With their ends: a last line without one is another line. */
function linesOf(data: Buffer): string[] {
  return data.toString('utf8').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function key(line: string, flags: ReadonlySet<string>): string {
  const cased = flags.has('i') ? line.toLowerCase() : line;
  if (flags.has('w')) return cased.replaceAll(/\s/g, '');
  return flags.has('b') ? cased.replaceAll(/\s+/g, ' ').trimEnd() : cased;
}

/** More steps than that, and the rest of the files counts as changed. */
const MOST_STEPS = 4000;

/** The shortest list of changes (Myers 1986, "An O(ND) Difference Algorithm"). */
function changesBetween(a: readonly string[], b: readonly string[]): Change[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const kept = keptPairs(a.slice(start, endA), b.slice(start, endB));
  const changes: Change[] = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...kept, [endA - start, endB - start] as const]) {
    if (nextX > x || nextY > y)
      changes.push({ a: [start + x, start + nextX], b: [start + y, start + nextY] });
    [x, y] = [nextX + 1, nextY + 1];
  }
  return changes;
}

/** The places of the lines that stay. */
function keptPairs(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let steps = 0; steps <= Math.min(a.length + b.length, MOST_STEPS); steps++) {
    trace.push(new Map(furthest));
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const down =
        diagonal === -steps ||
        (diagonal !== steps && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));
      let x = down ? (furthest.get(diagonal + 1) ?? 0) : (furthest.get(diagonal - 1) ?? 0) + 1;
      let y = x - diagonal;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      furthest.set(diagonal, x);
      if (x >= a.length && y >= b.length) return walkBack(trace, a.length, b.length);
    }
  }
  return [];
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  endX: number,
  endY: number,
): (readonly [number, number])[] {
  const kept: (readonly [number, number])[] = [];
  let [x, y] = [endX, endY];
  for (let steps = trace.length - 1; steps >= 0; steps--) {
    const furthest = trace[steps] ?? new Map<number, number>();
    const diagonal = x - y;
    const down =
      diagonal === -steps ||
      (diagonal !== steps && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));
    const before = down ? diagonal + 1 : diagonal - 1;
    const beforeX = furthest.get(before) ?? 0;
    const beforeY = beforeX - before;
    while (x > beforeX && y > beforeY && x > 0 && y > 0) {
      x--;
      y--;
      kept.push([x, y]);
    }
    if (steps > 0) [x, y] = [beforeX, beforeY];
  }
  return kept.reverse();
}

function place([from, to]: readonly [number, number]): string {
  if (to - from <= 1) return String(to);
  return `${from + 1},${to}`;
}

const NO_NEWLINE = '\\ No newline at end of file\n';

function marked(mark: string, lines: readonly string[]): string {
  return lines.map((line) => (line.endsWith('\n') ? mark + line : `${mark}${line}\n${NO_NEWLINE}`)).join('');
}

function normal(changes: readonly Change[], left: readonly string[], right: readonly string[]): string {
  return changes
    .map(({ a, b }) => {
      const [gone, come] = [left.slice(...a), right.slice(...b)];
      const kind = gone.length === 0 ? 'a' : come.length === 0 ? 'd' : 'c';
      const head = `${place(gone.length === 0 ? [a[0], a[0]] : a)}${kind}${place(come.length === 0 ? [b[0], b[0]] : b)}\n`;
      return head + marked('< ', gone) + (kind === 'c' ? '---\n' : '') + marked('> ', come);
    })
    .join('');
}

function unified(
  changes: readonly Change[],
  left: readonly string[],
  right: readonly string[],
  around: number,
  [one, other]: readonly [string, string],
): string {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    if (last && change.a[0] - last.a[1] <= 2 * around) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  let text = `--- ${one}\n+++ ${other}\n`;
  for (const hunk of hunks) {
    const [first, last] = [hunk[0], hunk.at(-1)];
    if (!first || !last) continue;
    const before = Math.min(around, first.a[0]);
    const after = Math.min(around, left.length - last.a[1]);
    text += `@@ -${span(first.a[0] - before, last.a[1] + after)} +${span(first.b[0] - before, last.b[1] + after)} @@\n`;
    let at = first.a[0] - before;
    for (const { a, b } of hunk) {
      text +=
        marked(' ', left.slice(at, a[0])) + marked('-', left.slice(...a)) + marked('+', right.slice(...b));
      at = a[1];
    }
    text += marked(' ', left.slice(at, last.a[1] + after));
  }
  return text;
}

/** `start,count`; an empty run stands behind the line before it. */
function span(from: number, to: number): string {
  const count = to - from;
  const start = count === 0 ? from : from + 1;
  return count === 1 ? String(start) : `${start},${count}`;
}
