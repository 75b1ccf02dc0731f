import { gunzipSync, gzipSync } from 'node:zlib';
import { strerror } from '../../fs/errno.ts';
import { join, normalize, parent } from '../../fs/paths.ts';
import { readAll } from '../../io/bytes.ts';
import { complain, complainFile, parseOptions, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { readTar, tarEnd, tarEntry } from './tar-format.ts';
import type { TarEntry } from './tar-format.ts';

/** Commands that pack and unpack. */
export const ARCHIVE_COMMANDS: readonly (readonly [string, Command])[] = [
  ['gzip', (context) => gzip(context, 'pack')],
  ['gunzip', (context) => gzip(context, 'unpack')],
  ['zcat', (context) => gzip({ ...context, args: ['-c', ...context.args] }, 'unpack')],
  ['tar', tar],
];

/** `gzip [-dckf] [FILE…]`: files are replaced by their packed form, stdin goes to stdout. */
async function gzip(context: CommandContext, way: 'pack' | 'unpack'): Promise<number> {
  const { flags, rest, unknown } = parseOptions(context.args, 'dcfknqt123456789');
  if (unknown !== null) return complain(context, `Unknown option '${unknown.replace(/^-+/, '')}'`);
  const unpack = way === 'unpack' || flags.has('d');
  let status = 0;
  for (const file of rest.length === 0 ? ['-'] : rest) {
    const path = pathOf(context, file);
    const input = file === '-' ? null : await context.fs.readFile(path);
    if (input && !input.ok) {
      status = await complainFile(context, file, input.errno);
      continue;
    }
    const output = convert(input ? input.value : await readAll(context.stdin), unpack);
    if (!output) {
      status = await complain(context, `${file === '-' ? 'stdin' : file}: not gzip`);
    } else if (file === '-' || flags.has('c')) {
      await context.stdout.write(output);
    } else {
      const target = unpack ? path.replace(/\.t?gz$/, '') : `${path}.gz`;
      const written = target === path ? null : await context.fs.writeFile(target, output);
      if (!written?.ok)
        status = await complain(context, `${file}: ${written ? strerror(written.errno) : 'no .gz'}`);
      else if (!flags.has('k')) await context.fs.remove(path, false);
    }
  }
  return status;
}

function convert(data: Buffer, unpack: boolean): Buffer | null {
  try {
    return unpack ? gunzipSync(data) : gzipSync(data);
  } catch {
    return null;
  }
}

/** `tar c|x|t [v] [z] [f FILE] [-C DIR] [NAME…]`; without a file, stdin and stdout. */
async function tar(context: CommandContext): Promise<number> {
  const [first = '', ...others] = context.args;
  // The dash before the first letters may be left out.
  const args = /^[a-zA-Z]+$/.test(first) ? [`-${first}`, ...others] : context.args;
  const { flags, values, rest, unknown } = parseOptions(args, 'cxtvzpkmohO', 'fC');
  if (unknown !== null) return complain(context, `Unknown option '${unknown.replace(/^-+/, '')}'`);
  const folder = pathOf(context, values.get('C') ?? '.');
  const named = values.get('f') ?? '-';
  const archive = named === '-' ? null : pathOf(context, named);
  if (flags.has('c'))
    return create(context, { folder, names: rest, archive, zip: flags.has('z'), verbose: flags.has('v') });
  if (!flags.has('x') && !flags.has('t')) return complain(context, 'Needs -txc');
  const data = archive === null ? null : await context.fs.readFile(archive);
  if (data && !data.ok) return complainFile(context, named, data.errno);
  const bytes = data ? data.value : await readAll(context.stdin);
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? convert(bytes, true) : bytes;
  const entries = plain ? readTar(plain) : null;
  if (!entries) return complain(context, 'Not tar');
  return extract(context, entries, {
    folder,
    names: rest,
    list: flags.has('t'),
    verbose: flags.has('v'),
    toStdout: flags.has('O'),
  });
}

interface Create {
  readonly folder: string;
  readonly names: readonly string[];
  readonly archive: string | null;
  readonly zip: boolean;
  readonly verbose: boolean;
}

async function create(
  context: CommandContext,
  { folder, names, archive, zip, verbose }: Create,
): Promise<number> {
  const parts: Buffer[] = [];
  let status = 0;
  const add = async (name: string): Promise<void> => {
    const path = normalize(name, folder);
    const found = await context.fs.stat(path, false);
    if (!found.ok) {
      status = await complainFile(context, name, found.errno);
      return;
    }
    const { kind, mode, mtimeMs, target } = found.value;
    const data = kind === 'file' ? await context.fs.readFile(path) : null;
    if (data && !data.ok) {
      status = await complainFile(context, name, data.errno);
      return;
    }
    const owner = context.fs.owner(path);
    const shown = name.replace(/^\/+/, '');
    const type = kind === 'directory' ? 'directory' : kind === 'link' ? 'link' : 'file';
    const entry = {
      name: type === 'directory' ? `${shown.replace(/\/+$/, '')}/` : shown,
      type,
      mode,
      mtimeMs,
      owner,
      target: target ?? '',
    } as const;
    parts.push(tarEntry(entry, data ? data.value : Buffer.alloc(0)));
    if (verbose) await context.stderr.write(`${entry.name}\n`);
    if (kind !== 'directory') return;
    const inside = await context.fs.readdir(path);
    for (const each of inside.ok ? inside.value : []) await add(`${name.replace(/\/+$/, '')}/${each}`);
  };
  if (names.length === 0) return complain(context, 'empty archive');
  for (const name of names) await add(name);
  const whole = Buffer.concat([...parts, tarEnd()]);
  const output = zip ? gzipSync(whole) : whole;
  if (archive === null) await context.stdout.write(output);
  else {
    const written = await context.fs.writeFile(archive, output);
    if (!written.ok) return complainFile(context, archive, written.errno);
  }
  return status;
}

interface Extract {
  readonly folder: string;
  readonly names: readonly string[];
  readonly list: boolean;
  readonly verbose: boolean;
  readonly toStdout: boolean;
}

async function extract(
  context: CommandContext,
  entries: readonly TarEntry[],
  options: Extract,
): Promise<number> {
  const { folder, names, list, verbose, toStdout } = options;
  let status = 0;
  for (const { data, ...entry } of entries) {
    const bare = entry.name.replace(/\/+$/, '');
    if (
      names.length > 0 &&
      !names.some((name) => bare === name.replace(/\/+$/, '') || bare.startsWith(`${name}/`))
    )
      continue;
    if (list || verbose) await context.stdout.write(`${entry.name}\n`);
    if (list) continue;
    if (toStdout) {
      await context.stdout.write(data);
      continue;
    }
    // `..` would lead out of the folder.
    if (bare.split('/').includes('..')) {
      status = await complain(context, `not under '${folder}': ${entry.name}`);
      continue;
    }
    const problem = await write(context, join(folder, bare.replace(/^\/+/, '')), entry, data);
    if (problem !== null) status = await complain(context, `${entry.name}: ${problem}`);
  }
  return status;
}

async function write(
  context: CommandContext,
  path: string,
  entry: Omit<TarEntry, 'data'>,
  data: Buffer,
): Promise<string | null> {
  const made = await context.fs.mkdirs(entry.type === 'directory' ? path : parent(path));
  if (!made.ok) return strerror(made.errno);
  if (entry.type === 'directory') return null;
  if (entry.type === 'link') {
    const linked = await context.fs.symlink(entry.target, path);
    return linked.ok ? null : strerror(linked.errno);
  }
  const written = await context.fs.writeFile(path, data, entry.mode);
  if (!written.ok) return strerror(written.errno);
  await context.fs.chmod(path, entry.mode);
  await context.fs.utimes(path, entry.mtimeMs);
  return null;
}
