import type { Node } from '../../fs/device-fs.ts';
import { uidName } from '../../fs/layout.ts';
import { join } from '../../fs/paths.ts';
import { complain, complainFile, parseOptions, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { modeString } from './mode.ts';

/** Commands that look at files without changing them. */
export const LIST_COMMANDS: readonly (readonly [string, Command])[] = [
  ['ls', list],
  ['ll', (context) => list({ ...context, args: ['-l', ...context.args] })],
  ['stat', statCommand],
  ['readlink', readLink],
  ['realpath', realPath],
  ['du', diskUsage],
];

const TWO = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-30 16:10`, in the device's time zone, which is UTC. */
export function minuteStamp(ms: number): string {
  const date = new Date(ms);
  const day = `${date.getUTCFullYear()}-${TWO(date.getUTCMonth() + 1)}-${TWO(date.getUTCDate())}`;
  return `${day} ${TWO(date.getUTCHours())}:${TWO(date.getUTCMinutes())}`;
}

interface Listed {
  readonly name: string;
  readonly node: Node;
}

async function list(context: CommandContext): Promise<number> {
  const { flags, rest, unknown } = parseOptions(context.args, 'alhAdRr1FpnSstiZLHkcuxqmCogUfb');
  if (unknown !== null) return complain(context, `Unknown option '${unknown.replace(/^-+/, '')}'`);
  let status = 0;
  const files: Listed[] = [];
  const folders: string[] = [];
  for (const name of rest.length === 0 ? ['.'] : rest) {
    const path = pathOf(context, name);
    const follow = !flags.has('d') && !isLong(flags);
    let found = await context.fs.stat(path, follow || name.endsWith('/'));
    if (!found.ok && follow) found = await context.fs.stat(path, false);
    if (!found.ok) status = await complainFile(context, name, found.errno);
    else if (found.value.kind === 'directory' && !flags.has('d')) folders.push(name);
    else files.push({ name, node: found.value });
  }
  sortEntries(files, flags);
  if (files.length > 0) await context.stdout.write(await format(context, files, flags));
  for (const [index, folder] of folders.sort().entries()) {
    const titled = folders.length > 1 || files.length > 0 || flags.has('R');
    const title = `${index > 0 || files.length > 0 ? '\n' : ''}${folder}:\n`;
    const code = await listFolder(context, folder, flags, titled ? title : '');
    if (code !== 0) status = code;
  }
  return status;
}

async function listFolder(
  context: CommandContext,
  folder: string,
  flags: ReadonlySet<string>,
  title: string,
): Promise<number> {
  const path = pathOf(context, folder);
  const names = await context.fs.readdir(path);
  if (!names.ok) return complainFile(context, folder, names.errno);
  const shown = names.value.filter((name) => flags.has('a') || flags.has('A') || !name.startsWith('.'));
  const all = flags.has('a') ? ['.', '..', ...shown] : shown;
  const entries: Listed[] = [];
  let status = 0;
  for (const name of all) {
    const found = await context.fs.stat(join(path, name), false);
    if (found.ok) entries.push({ name, node: found.value });
    else status = await complainFile(context, join(folder, name), found.errno);
  }
  sortEntries(entries, flags);
  const total =
    isLong(flags) || flags.has('s')
      ? `total ${entries.reduce((sum, { node }) => sum + blocks(node), 0)}\n`
      : '';
  await context.stdout.write(title + total + (await format(context, entries, flags)));
  if (flags.has('R')) {
    for (const { name, node } of entries) {
      if (node.kind !== 'directory' || name === '.' || name === '..') continue;
      const path = join(folder, name);
      status = (await listFolder(context, path, flags, `\n${path}:\n`)) || status;
    }
  }
  return status;
}

/** By name, unless told otherwise. */
function sortEntries(entries: Listed[], flags: ReadonlySet<string>): void {
  if (flags.has('U') || flags.has('f')) return;
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (flags.has('t')) entries.sort((a, b) => b.node.mtimeMs - a.node.mtimeMs);
  if (flags.has('S')) entries.sort((a, b) => b.node.size - a.node.size);
  if (flags.has('r')) entries.reverse();
}

/** `-g`, `-n` and `-o` are `-l` with less, or with numbers. */
function isLong(flags: ReadonlySet<string>): boolean {
  return ['l', 'g', 'n', 'o'].some((flag) => flags.has(flag));
}

/** Kilobytes on disk, in steps of 4. */
function blocks(node: Node): number {
  return node.kind === 'link'
    ? 0
    : Math.max(node.kind === 'directory' ? 4 : 0, Math.ceil(node.size / 4096) * 4);
}

async function format(
  context: CommandContext,
  entries: readonly Listed[],
  flags: ReadonlySet<string>,
): Promise<string> {
  const before = (node: Node): string =>
    (flags.has('i') ? `${node.ino} ` : '') + (flags.has('s') ? `${blocks(node)} ` : '');
  if (!isLong(flags)) {
    const names = entries.map(({ name, node }) => `${before(node)}${name}${suffix(node, flags)}`);
    if (names.length === 0) return '';
    return flags.has('m') ? `${names.join(', ')}\n` : names.map((name) => `${name}\n`).join('');
  }
  const rows = entries.map(({ name, node }) => {
    const owner = context.fs.owner(node.path);
    const user = flags.has('n') ? String(owner) : uidName(owner);
    const links = String(node.kind === 'directory' ? 2 : 1);
    const size = flags.has('h') ? humanSize(node.size) : String(node.size);
    const target = node.target === null ? '' : ` -> ${node.target}`;
    const cells = [modeString(node.kind, node.mode), links, user, user, size, minuteStamp(node.mtimeMs)];
    return { cells, before: before(node), name: `${name}${target}${suffix(node, flags)}` };
  });
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...rows.map(({ cells }) => (cells[column] ?? '').length)),
  );
  return rows
    .map(({ cells, before: first, name }) => {
      const padded = cells.map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 1 || column === 4 ? cell.padStart(width) : cell.padEnd(width);
      });
      return `${first}${padded.join(' ')} ${name}\n`;
    })
    .join('');
}

function suffix(node: Node, flags: ReadonlySet<string>): string {
  if (node.kind === 'directory') return flags.has('F') || flags.has('p') ? '/' : '';
  if (!flags.has('F')) return '';
  if (node.kind === 'link') return '@';
  return node.mode & 0o111 ? '*' : '';
}

export function humanSize(bytes: number): string {
  let value = bytes;
  for (const unit of ['', 'K', 'M', 'G', 'T']) {
    if (value < 1024)
      return unit === '' ? String(value) : `${value < 10 ? value.toFixed(1) : Math.round(value)}${unit}`;
    value /= 1024;
  }
  return `${Math.round(value)}P`;
}

const DEFAULT_STAT =
  '  File: %N\n  Size: %s\t Blocks: %b\t IO Blocks: %o\t%F\nDevice: %Dh/%dd\t Inode: %i\t Links: %h\nAccess: (0%a/%A)\tUid: (%u/%U)\tGid: (%g/%G)\nModify: %y\n';

async function statCommand(context: CommandContext): Promise<number> {
  const { values, flags, rest } = parseOptions(context.args, 'fLt', 'c');
  let status = 0;
  for (const name of rest) {
    const found = await context.fs.stat(pathOf(context, name), flags.has('L'));
    if (!found.ok) {
      status = await complainFile(context, name, found.errno);
      continue;
    }
    const format = values.get('c');
    const text = statFormat(format ?? DEFAULT_STAT, name, found.value, context.fs.owner(found.value.path));
    await context.stdout.write(format === undefined ? text : `${text}\n`);
  }
  return rest.length === 0 ? complain(context, 'Needs 1 argument') : status;
}

const KINDS = {
  file: 'regular file',
  directory: 'directory',
  link: 'symbolic link',
  char: 'character device',
} as const;

function statFormat(format: string, name: string, node: Node, owner: number): string {
  const seconds = Math.floor(node.mtimeMs / 1000);
  const stamp = `${new Date(node.mtimeMs).toISOString().replace('T', ' ').replace('Z', '000000')} +0000`;
  const values: Readonly<Record<string, string>> = {
    n: name,
    N: node.target === null ? name : `${name}' -> '${node.target}`,
    s: String(node.size),
    b: String(blocks(node) * 2),
    o: '4096',
    F: node.kind === 'file' && node.size === 0 ? 'regular empty file' : KINDS[node.kind],
    D: 'fe2c',
    d: '65068',
    i: String(node.ino),
    h: '1',
    a: node.mode.toString(8),
    A: modeString(node.kind, node.mode),
    u: String(owner),
    U: uidName(owner),
    g: String(owner),
    G: uidName(owner),
    X: String(seconds),
    Y: String(seconds),
    Z: String(seconds),
    x: stamp,
    y: stamp,
    z: stamp,
    '%': '%',
  };
  return format.replaceAll(/%([a-zA-Z%])/g, (whole: string, letter: string) => values[letter] ?? whole);
}

async function readLink(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'fenmq');
  if (flags.has('f') || flags.has('e')) return realPath({ ...context, args: rest });
  const found = await context.fs.stat(pathOf(context, rest[0] ?? ''), false);
  if (!found.ok || found.value.target === null) return 1;
  await context.stdout.write(`${found.value.target}\n`);
  return 0;
}

async function realPath(context: CommandContext): Promise<number> {
  let status = 0;
  for (const name of context.args) {
    const found = await context.fs.locate(pathOf(context, name));
    if (found.ok) await context.stdout.write(`${found.value.path}\n`);
    else status = await complainFile(context, name, found.errno);
  }
  return status;
}

async function diskUsage(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'shkamcbx', 'd');
  let status = 0;
  const measure = async (path: string, shown: string, top: boolean): Promise<number> => {
    const found = await context.fs.stat(path, false);
    if (!found.ok) {
      status = await complainFile(context, shown, found.errno);
      return 0;
    }
    let sum = blocks(found.value);
    if (found.value.kind === 'directory') {
      const names = await context.fs.readdir(path);
      for (const name of names.ok ? names.value : [])
        sum += await measure(join(path, name), join(shown, name), false);
    }
    if (top || (!flags.has('s') && found.value.kind === 'directory')) {
      await context.stdout.write(`${flags.has('h') ? humanSize(sum * 1024) : String(sum)}\t${shown}\n`);
    }
    return sum;
  };
  for (const name of rest.length === 0 ? ['.'] : rest) {
    await measure(pathOf(context, name), name.length > 1 ? name.replace(/\/$/, '') : name, true);
  }
  return status;
}
