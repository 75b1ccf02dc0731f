import { strerror } from '../../fs/errno.ts';
import type { FsResult } from '../../fs/errno.ts';
import { baseName, isWithin, join, normalize, parent } from '../../fs/paths.ts';
import { complain, complainFile, parseOptions, pathOf } from '../command.ts';
import type { Command, CommandContext } from '../command.ts';
import { parseTime } from './date.ts';
import { parseMode } from './mode.ts';

/** Commands that change files. */
export const FILE_COMMANDS: readonly (readonly [string, Command])[] = [
  ['cat', cat],
  ['cp', copy],
  ['mv', move],
  ['rm', remove],
  ['mkdir', makeFolders],
  ['rmdir', removeFolders],
  ['touch', touch],
  ['chmod', chmod],
  ['chown', refuseOwner],
  ['chgrp', refuseOwner],
  ['ln', link],
  ['link', (context) => link({ ...context, args: ['-T', ...context.args] })],
  ['unlink', unlink],
  ['install', install],
  ['mktemp', makeTemporary],
];

/** Runs `work` for each file; the exit code is 1 when any failed. */
async function each(
  context: CommandContext,
  files: readonly string[],
  work: (file: string) => Promise<FsResult<unknown>>,
): Promise<number> {
  if (files.length === 0) return complain(context, 'Needs 1 argument');
  let status = 0;
  for (const file of files) {
    const result = await work(file);
    if (!result.ok) status = await complainFile(context, file, result.errno);
  }
  return status;
}

async function cat(context: CommandContext): Promise<number> {
  const { flags, rest, unknown } = parseOptions(context.args, 'uvetE');
  if (unknown !== null) return complain(context, `Unknown option '${unknown.replace(/^-+/, '')}'`);
  const plain = flags.size === 0 || (flags.size === 1 && flags.has('u'));
  const show = (data: Buffer): Buffer => (plain ? data : visible(data, flags));
  let status = 0;
  for (const file of rest.length === 0 ? ['-'] : rest) {
    if (file === '-') {
      for (let chunk = await context.stdin.read(); chunk !== null; chunk = await context.stdin.read()) {
        if (!(await context.stdout.write(show(chunk)))) return 141;
      }
      continue;
    }
    const data = await context.fs.readFile(pathOf(context, file));
    if (!data.ok) status = await complainFile(context, file, data.errno);
    else if (!(await context.stdout.write(show(data.value)))) return 141;
  }
  return status;
}

/** What `-v`, `-e` and `-t` make of bytes: `^A`, `M-x`, `$` at the ends of lines, `^I` for tabs. */
function visible(data: Buffer, flags: ReadonlySet<string>): Buffer {
  const shown = Array.from(data, (byte) => {
    if (byte === 0x0a) return flags.has('e') || flags.has('E') ? '$\n' : '\n';
    if (byte === 0x09) return flags.has('t') ? '^I' : '\t';
    if (!['v', 'e', 't'].some((flag) => flags.has(flag))) return String.fromCodePoint(byte);
    const low = byte & 0x7f;
    const text =
      low < 32 ? `^${String.fromCodePoint(low + 64)}` : low === 127 ? '^?' : String.fromCodePoint(low);
    return byte > 127 ? `M-${text}` : text;
  });
  return Buffer.from(shown.join(''), 'latin1');
}

async function copy(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'rRpafdPHLnvi');
  const recursive = flags.has('r') || flags.has('R') || flags.has('a');
  const keep = flags.has('p') || flags.has('a');
  return intoTarget(context, rest, async (source, target) => {
    if (source === target) return `'${target}' is '${source}'`;
    if (flags.has('n') && (await context.fs.stat(target, false)).ok) return null;
    return copyTree(context, source, target, recursive, keep);
  });
}

async function intoTarget(
  context: CommandContext,
  files: readonly string[],
  work: (source: string, target: string) => Promise<string | null>,
): Promise<number> {
  const target = files.at(-1);
  const sources = files.slice(0, -1);
  if (target === undefined || sources.length === 0) return complain(context, 'Needs 2 arguments');
  const to = pathOf(context, target);
  const found = await context.fs.stat(to);
  const folder = found.ok && found.value.kind === 'directory';
  if (sources.length > 1 && !folder) return complain(context, `${target}: Not a directory`);
  let status = 0;
  for (const source of sources) {
    const problem = await work(pathOf(context, source), folder ? join(to, baseName(source)) : to);
    if (problem !== null) status = await complain(context, problem);
  }
  return status;
}

/** The value is what went wrong, if anything. */
async function copyTree(
  context: CommandContext,
  source: string,
  target: string,
  recursive: boolean,
  keep: boolean,
): Promise<string | null> {
  const { fs } = context;
  const found = await fs.stat(source);
  if (!found.ok) return `bad '${source}': ${strerror(found.errno)}`;
  if (found.value.kind === 'directory') {
    if (!recursive) return `Skipped dir '${source}'`;
    if (isWithin(target, source)) return `'${target}' is within '${source}'`;
    const made = await fs.mkdirs(target, found.value.mode);
    if (!made.ok) return `cannot create '${target}': ${strerror(made.errno)}`;
    const names = await fs.readdir(source);
    if (!names.ok) return `${source}: ${strerror(names.errno)}`;
    for (const name of names.value) {
      const problem = await copyTree(context, join(source, name), join(target, name), recursive, keep);
      if (problem !== null) return problem;
    }
    return null;
  }
  const data = await fs.readFile(source);
  if (!data.ok) return `${source}: ${strerror(data.errno)}`;
  const written = await fs.writeFile(target, data.value, found.value.mode);
  if (!written.ok) return `cannot create '${target}': ${strerror(written.errno)}`;
  await fs.chmod(target, found.value.mode);
  if (keep) await fs.utimes(target, found.value.mtimeMs);
  return null;
}

async function move(context: CommandContext): Promise<number> {
  const { rest } = parseOptions(context.args, 'fniv');
  return intoTarget(context, rest, async (source, target) => {
    const found = await context.fs.stat(source, false);
    if (!found.ok) return `bad '${source}': ${strerror(found.errno)}`;
    const renamed = await context.fs.rename(source, target);
    return renamed.ok ? null : `bad '${source}': ${strerror(renamed.errno)}`;
  });
}

async function remove(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'rRfiv');
  const force = flags.has('f');
  if (rest.length === 0) return force ? 0 : complain(context, 'Needs 1 argument');
  return each(context, rest, async (file) => {
    const removed = await context.fs.remove(pathOf(context, file), flags.has('r') || flags.has('R'));
    if (!removed.ok && removed.errno === 'ENOENT' && force) return { ok: true, value: undefined };
    return removed;
  });
}

async function makeFolders(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'pv', 'm');
  const mode = parseMode(values.get('m') ?? '777', 0o777) ?? 0o777;
  return each(context, rest, async (file) => {
    const path = pathOf(context, file);
    return flags.has('p') ? context.fs.mkdirs(path, mode) : context.fs.mkdir(path, mode);
  });
}

async function removeFolders(context: CommandContext): Promise<number> {
  const { rest } = parseOptions(context.args, 'p');
  return each(context, rest, async (file) => context.fs.rmdir(pathOf(context, file)));
}

async function touch(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'acmh', 'dtr');
  let time = context.now();
  const date = values.get('d') ?? values.get('t');
  if (date !== undefined) {
    const given = parseTime(date, time);
    if (given === null) return complain(context, `bad date '${date}'`);
    time = given;
  }
  const reference = values.get('r');
  if (reference !== undefined) {
    const other = await context.fs.stat(pathOf(context, reference));
    if (!other.ok) return complainFile(context, reference, other.errno);
    time = other.value.mtimeMs;
  }
  return each(context, rest, async (file) => {
    const path = pathOf(context, file);
    const found = await context.fs.stat(path);
    if (found.ok) return context.fs.utimes(path, time);
    if (flags.has('c')) return { ok: true, value: undefined };
    const made = await context.fs.writeFile(path, Buffer.alloc(0));
    return made.ok ? context.fs.utimes(path, time) : made;
  });
}

async function chmod(context: CommandContext): Promise<number> {
  // A mode such as -w or -x looks like an option.
  const args = context.args.filter((arg) => !/^-[RfvHLP]+$/.test(arg));
  const recursive = context.args.some((arg) => /^-\w*R/.test(arg));
  const [mode = '', ...files] = args;
  const apply = async (path: string): Promise<FsResult<unknown>> => {
    const found = await context.fs.stat(path);
    if (!found.ok) return found;
    const bits = parseMode(mode, found.value.mode);
    if (bits === null) return { ok: false, errno: 'EINVAL' };
    const changed = await context.fs.chmod(path, bits);
    if (!changed.ok || !recursive || found.value.kind !== 'directory') return changed;
    const names = await context.fs.readdir(path);
    for (const name of names.ok ? names.value : []) {
      const inner = await apply(join(path, name));
      if (!inner.ok) return inner;
    }
    return changed;
  };
  if (parseMode(mode, 0) === null) return complain(context, `bad mode '${mode}'`);
  return each(context, files, (file) => apply(pathOf(context, file)));
}

async function refuseOwner(context: CommandContext): Promise<number> {
  const { rest } = parseOptions(context.args, 'Rfvh');
  const [owner = '', ...files] = rest;
  return each(context, files, async (file) => {
    const found = await context.fs.stat(pathOf(context, file));
    if (!found.ok) return found;
    // Nobody but root gives files away; to oneself is allowed.
    const own = [String(context.uid), 'shell', 'shell:shell', `${context.uid}:${context.uid}`].includes(
      owner,
    );
    return own ? found : { ok: false, errno: 'EPERM' };
  });
}

async function link(context: CommandContext): Promise<number> {
  const { flags, rest } = parseOptions(context.args, 'sfvnT');
  const [target = '', name] = rest;
  const wanted = pathOf(context, name ?? baseName(target));
  const there = flags.has('n') || flags.has('T') ? null : await context.fs.stat(wanted);
  const path = there?.ok && there.value.kind === 'directory' ? join(wanted, baseName(target)) : wanted;
  if (flags.has('f')) await context.fs.remove(path, false);
  const symbolic = flags.has('s');
  const made = await (symbolic
    ? context.fs.symlink(target, path)
    : context.fs.hardLink(pathOf(context, target), path));
  if (made.ok) return 0;
  const what = symbolic ? 'symlink' : 'hard link';
  return complain(
    context,
    `cannot create ${what} from '${target}' to '${name ?? ''}': ${strerror(made.errno)}`,
  );
}

async function makeTemporary(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'dqut', 'p');
  const template = rest[0] ?? 'tmp.XXXXXXXXXX';
  const folder =
    values.get('p') ?? (rest[0]?.includes('/') ? '' : (context.env.get('TMPDIR') ?? '/data/local/tmp'));
  const name = template.replace(/X+$/, (marks) =>
    Array.from(marks, () => Math.floor(Math.random() * 36).toString(36)).join(''),
  );
  const shown = folder === '' ? name : join(folder, name);
  const path = normalize(shown, context.cwd);
  if (flags.has('u')) {
    await context.stdout.write(`${shown}\n`);
    return 0;
  }
  const made = flags.has('d')
    ? await context.fs.mkdir(path, 0o700)
    : await context.fs.writeFile(path, Buffer.alloc(0), 0o600);
  if (!made.ok)
    return complain(context, `Failed to create temporary in ${parent(path)}: ${strerror(made.errno)}`);
  await context.stdout.write(`${shown}\n`);
  return 0;
}

/** `unlink file` and `link from to`: one system call each. */
async function unlink(context: CommandContext): Promise<number> {
  return each(context, context.args.slice(0, 1), (file) => context.fs.remove(pathOf(context, file), false));
}

/** `install [-d] [-m mode] file… target` */
async function install(context: CommandContext): Promise<number> {
  const { flags, values, rest } = parseOptions(context.args, 'dDpsvc', 'mog');
  const mode = parseMode(values.get('m') ?? '755', 0);
  if (mode === null) return complain(context, `bad mode '${values.get('m') ?? ''}'`);
  if (flags.has('d')) return each(context, rest, (file) => context.fs.mkdirs(pathOf(context, file), mode));
  return intoTarget(context, rest, async (source, target) => {
    if (flags.has('D')) await context.fs.mkdirs(parent(target));
    const problem = await copyTree(context, source, target, false, flags.has('p'));
    if (problem === null) await context.fs.chmod(target, mode);
    return problem;
  });
}
