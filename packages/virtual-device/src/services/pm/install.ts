import { bufferSource } from '../../io/bytes.ts';
import { failureLine } from '../../packages/failure.ts';
import type { InstallParams, Session } from '../../packages/sessions.ts';
import type { CommandContext } from '../../shell/command.ts';
import { pathOf } from '../../shell/command.ts';
import { illegalArgument, isOwner, throws } from '../services.ts';
import type { SubCommand } from '../services.ts';

interface InstallArgs {
  readonly params: InstallParams;
  readonly size: number | null;
  readonly rest: readonly string[];
  readonly problem: string | null;
}

/** Options of `pm install` that change nothing here, and whether they take a value. */
const IGNORED: Readonly<Record<string, boolean>> = {
  '-f': false,
  '-l': false,
  '-s': false,
  '-q': false,
  '-V': false,
  '--abi': true,
  '--full': false,
  '--fastdeploy': false,
  '--force-queryable': false,
  '--force-sdk': false,
  '--force-uuid': true,
  '--install-location': true,
  '--install-reason': true,
  '--instant': false,
  '--instantapp': false,
  '--ephemeral': false,
  '--no-incremental': false,
  '--non-staged': false,
  '--originating-uri': true,
  '--package-source': true,
  '--pkg': true,
  '--preload': false,
  '--referrer': true,
  '--restrict-permissions': false,
  '--skip-verification': false,
  '--bypass-low-target-sdk-block': false,
  '--update-ownership': false,
  '--wait': false,
};

/** Options of AOSP `PackageManagerShellCommand.makeInstallParams`. */
function parseInstallArgs(args: readonly string[]): InstallArgs {
  const params = {
    replace: true,
    allowDowngrade: false,
    allowTest: false,
    grantAll: false,
    dontKill: false,
    installer: null as string | null,
    inherit: null as string | null,
  };
  let size: number | null = null;
  let problem: string | null = null;
  let at = 0;
  for (; at < args.length && (args[at] ?? '').startsWith('-') && args[at] !== '-'; at++) {
    const arg = args[at] ?? '';
    if (arg === '-r') params.replace = true;
    else if (arg === '-R') params.replace = false;
    else if (arg === '-d' || arg === '--request-downgrade') params.allowDowngrade = true;
    else if (arg === '-t') params.allowTest = true;
    else if (arg === '-g') params.grantAll = true;
    else if (arg === '--dont-kill') params.dontKill = true;
    else if (arg === '-i') params.installer = args[++at] ?? null;
    else if (arg === '-p') params.inherit = args[++at] ?? null;
    else if (arg === '-S') size = Number(args[++at]);
    else if (arg === '--user') {
      const user = args[++at] ?? '';
      if (!isOwner(user)) problem ??= `user ${user} doesn't exist`;
    } else if (IGNORED[arg] === undefined) problem ??= `Unknown option ${arg}`;
    else if (IGNORED[arg]) at++;
  }
  if (size !== null && (!Number.isSafeInteger(size) || size < 0)) problem ??= 'Negative or bad size';
  return { params, size, rest: args.slice(at), problem };
}

export const install: SubCommand = async (context, args, services) => {
  const parsed = parseInstallArgs(args);
  if (parsed.problem !== null) return illegalArgument(context, 'install', parsed.problem);
  const [path] = parsed.rest;
  const fromStdin = path === undefined || path === '-';
  if (fromStdin && parsed.size === null) {
    await context.stdout.write('Error: must either specify a package size or an APK file\n');
    return 1;
  }
  if (parsed.size !== null && !services.sessions.fits(parsed.size)) return noSpace(context, 'install');
  const session = await services.sessions.create(parsed.params);
  try {
    if (fromStdin) {
      const wrote = await services.sessions.write(session, 'base.apk', context.stdin, parsed.size ?? 0);
      if (wrote !== 'written') return await incomplete(context, wrote);
    } else {
      for (const [index, file] of parsed.rest.entries()) {
        const data = await context.fs.readFile(pathOf(context, file));
        if (!data.ok) return await illegalArgument(context, 'install', `Error: Can't open file: ${file}`);
        const name = index === 0 ? 'base.apk' : `split${index}.apk`;
        const source = bufferSource(data.value);
        const wrote = await services.sessions.write(session, name, source, data.value.length);
        if (wrote !== 'written') return await incomplete(context, wrote);
      }
    }
    return await commit(context, session, services);
  } finally {
    await services.sessions.abandon(session);
  }
};

async function commit(
  context: CommandContext,
  session: Session,
  services: Parameters<SubCommand>[2],
): Promise<number> {
  const result = await services.installer.commit(session);
  await context.stdout.write(result.ok ? 'Success\n' : failureLine(result.failure));
  return result.ok ? 0 : 1;
}

async function fail(context: CommandContext, reason: string, text: string): Promise<number> {
  await context.stdout.write(failureLine({ reason, text }));
  return 1;
}

/** `PackageInstallerService.createSessionInternal`, when `PackageHelper.fitsOnInternal` says no. */
function noSpace(context: CommandContext, command: string): Promise<number> {
  return throws(
    context,
    command,
    'android.os.ParcelableException: java.io.IOException: Requested internal only, but not enough space',
    'com.android.server.pm.PackageInstallerService.createSessionInternal(PackageInstallerService.java:842)',
  );
}

async function incomplete(context: CommandContext, why: 'short' | 'full'): Promise<number> {
  if (why === 'full') return fail(context, 'INSTALL_FAILED_INSUFFICIENT_STORAGE', '');
  return fail(context, 'INSTALL_FAILED_INVALID_APK', 'Failed to read all of the package');
}

export const installCreate: SubCommand = async (context, args, services) => {
  const parsed = parseInstallArgs(args);
  if (parsed.problem !== null) return illegalArgument(context, 'install-create', parsed.problem);
  if (parsed.size !== null && !services.sessions.fits(parsed.size)) return noSpace(context, 'install-create');
  const session = await services.sessions.create(parsed.params);
  await context.stdout.write(`Success: created install session [${session.id}]\n`);
  return 0;
};

/** `install-write [-S BYTES] SESSION_ID SPLIT_NAME [PATH|-]` */
export const installWrite: SubCommand = async (context, args, services) => {
  const parsed = parseInstallArgs(args);
  const [id = '', name = 'base.apk', path] = parsed.rest;
  const session = services.sessions.get(Number(id));
  if (!session) return illegalArgument(context, 'install-write', `Invalid session ${id}`);
  if (name.includes('/') || name.includes('..')) {
    return illegalArgument(context, 'install-write', `Invalid name: ${name}`);
  }
  if (path === undefined || path === '-') {
    if (parsed.size === null) {
      await context.stdout.write('Error: must specify a APK size\n');
      return 1;
    }
    const wrote = await services.sessions.write(session, name, context.stdin, parsed.size);
    if (wrote !== 'written') return incomplete(context, wrote);
    await context.stdout.write(`Success: streamed ${parsed.size} bytes\n`);
    return 0;
  }
  const data = await context.fs.readFile(pathOf(context, path));
  if (!data.ok) return illegalArgument(context, 'install-write', `Error: Can't open file: ${path}`);
  const wrote = await services.sessions.write(session, name, bufferSource(data.value), data.value.length);
  if (wrote !== 'written') return incomplete(context, wrote);
  await context.stdout.write(`Success: streamed ${data.value.length} bytes\n`);
  return 0;
};

export const installCommit: SubCommand = async (context, args, services) => {
  const id = args.find((arg) => /^\d+$/.test(arg)) ?? '';
  const session = services.sessions.get(Number(id));
  if (!session) return illegalArgument(context, 'install-commit', `Invalid session ${id}`);
  const status = await commit(context, session, services);
  await services.sessions.abandon(session);
  return status;
};

export const installAbandon: SubCommand = async (context, args, services) => {
  const session = services.sessions.get(Number(args[0]));
  if (session) await services.sessions.abandon(session);
  await context.stdout.write('Success\n');
  return 0;
};
