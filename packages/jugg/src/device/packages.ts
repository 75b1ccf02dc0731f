import type { AdbConnection } from '../adb/types.ts';
import { packageCommandResult } from '../formats/install.ts';
import { parsePackageDump } from '../formats/package-dump.ts';
import { deniedUser } from '../formats/users.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { run } from './shell.ts';
import type { InstalledApp, InstallOptions } from './types.ts';

export interface UserContext {
  readonly connection: AdbConnection;
  /** The user in front: every command names it, so that no other profile is asked or touched. */
  readonly user: number;
}

/** `null` when the package is not installed for this user. */
export async function readApp(
  { connection, user }: UserContext,
  packageName: string,
  signal: AbortSignal,
): Promise<Result<InstalledApp | null>> {
  const output = await run(connection, ['dumpsys', 'package', packageName], signal);
  if (!output.ok) return output;
  const denied = deniedUser(output.value.all);
  if (denied !== null)
    return fail('USER_NOT_ACCESSIBLE', `The device does not let adb ask about user ${denied}.`, {
      data: { deniedUserId: denied },
    });
  const dump = parsePackageDump(output.value.stdout, packageName);
  if (!dump || (dump.installedFor.length > 0 && !dump.installedFor.includes(user))) return ok(null);
  return ok({
    packageName,
    versionCode: dump.versionCode ?? 0,
    apkPath: dump.codePath ?? '',
    debuggable: dump.debuggable,
    lastUpdateTime: dump.lastUpdateTime,
    installedFor: dump.installedFor,
  });
}

const INSTALL_TIMEOUT_MS = 120_000;

/** `-t`: an APK marked testOnly, as IDEs build it, shall not fail. */
export async function installApk(
  context: UserContext,
  apk: string,
  { replace, packageName, timeoutMs = INSTALL_TIMEOUT_MS }: InstallOptions,
  signal: AbortSignal,
): Promise<Result<InstalledApp>> {
  const before = await readApp(context, packageName, signal);
  if (!before.ok) return before;
  const args = [...(replace ? ['-r'] : []), '-t', '--user', String(context.user)];
  const done = await context.connection.install({ file: apk }, args, { signal, timeoutMs });
  if (!done.ok) return done;
  const said = packageCommandResult('install', done.value.output);
  if (!said.ok) return said;
  const after = await readApp(context, packageName, signal);
  if (!after.ok) return after;
  const [old, now] = [before.value, after.value];
  if (!now)
    return fail(
      'INSTALL_FAILED',
      `The device said that ${packageName} was installed, but does not list it.`,
      {
        data: { reason: 'UNKNOWN' },
      },
    );
  if (old && old.apkPath === now.apkPath && old.lastUpdateTime === now.lastUpdateTime)
    return fail('INSTALL_FAILED', `The device said Success, but still lists the old APK of ${packageName}.`, {
      data: { reason: 'UNKNOWN' },
    });
  return ok(now);
}

export async function uninstallApp(
  context: UserContext,
  packageName: string,
  signal: AbortSignal,
): Promise<Result<void>> {
  const there = await readApp(context, packageName, signal);
  if (!there.ok) return there;
  if (!there.value) return ok(undefined);
  const output = await run(
    context.connection,
    ['pm', 'uninstall', '--user', String(context.user), packageName],
    signal,
    INSTALL_TIMEOUT_MS,
  );
  if (!output.ok) return output;
  const said = packageCommandResult('uninstall', output.value.all);
  if (!said.ok) return said;
  const after = await readApp(context, packageName, signal);
  if (!after.ok) return after;
  return after.value
    ? fail('UNINSTALL_FAILED', `The device said Success, but still lists ${packageName}.`)
    : ok(undefined);
}
