import type { PackageDatabase } from '../packages/database.ts';
import type { PackageRecord, PermissionFlag } from '../packages/record.ts';
import type { AppManager } from './app-manager.ts';
import type { RunningApp } from './app-process-record.ts';

/** After so many refusals nobody asks again. */
const FINAL_REFUSAL = 2;
const BY_USER: ReadonlySet<PermissionFlag> = new Set(['user-set', 'user-fixed']);

/** Keeps what the user answered, and tells the other processes of the app. */
export async function permissionAnswered(
  database: PackageDatabase,
  apps: AppManager,
  asker: RunningApp,
  permission: string,
  granted: boolean,
): Promise<void> {
  const record = database.get(asker.packageName);
  if (!record?.manifest.permissions.includes(permission)) return;
  const others = record.granted.filter((other) => other !== permission);
  const times = granted ? 0 : (record.refusals[permission] ?? 0) + 1;
  await database.put({
    ...record,
    granted: granted ? [...others, permission] : others,
    refusals: { ...record.refusals, [permission]: times },
    permissionFlags: withFlags(record, permission, (flag) => !BY_USER.has(flag), [
      times < FINAL_REFUSAL ? 'user-set' : 'user-fixed',
    ]),
  });
  await tellProcesses(apps, record.manifest.packageName, permission, granted, asker);
}

/**
 * `pm grant` and `pm revoke`: what is granted is known at once; who loses something ends (AOSP
 * `PermissionManagerServiceImpl.killUid`).
 */
export async function setPermission(
  database: PackageDatabase,
  apps: AppManager,
  packageName: string,
  permission: string,
  granted: boolean,
): Promise<void> {
  const record = database.get(packageName);
  if (!record || record.granted.includes(permission) === granted) return;
  const others = record.granted.filter((other) => other !== permission);
  const refusals = { ...record.refusals, [permission]: 0 };
  // Who decided before does not count any more.
  const permissionFlags = withFlags(record, permission, (flag) => !BY_USER.has(flag), []);
  await database.put({
    ...record,
    granted: granted ? [...others, permission] : others,
    refusals,
    permissionFlags,
  });
  if (granted) await tellProcesses(apps, packageName, permission, granted);
  else await endProcesses(apps, packageName);
}

/** `pm reset-permissions`: nothing is granted and nothing was refused. */
export async function resetPermissionsOf(
  database: PackageDatabase,
  apps: AppManager,
  packageName: string,
): Promise<void> {
  const record = database.get(packageName);
  if (!record) return;
  await database.put({ ...record, granted: [], refusals: {}, permissionFlags: {} });
  if (record.granted.length > 0) await endProcesses(apps, packageName);
}

/**
 * `pm set-permission-flags` and `clear-permission-flags`, of a permission that the package asks for. Those of the user
 * decide whether a dialog may ask, as if the user had refused once or for good.
 */
export async function changePermissionFlags(
  database: PackageDatabase,
  apps: AppManager,
  packageName: string,
  permission: string,
  flags: readonly PermissionFlag[],
  set: boolean,
): Promise<void> {
  const record = database.get(packageName);
  if (!record?.manifest.permissions.includes(permission)) return;
  const permissionFlags = withFlags(record, permission, (flag) => !flags.includes(flag), set ? flags : []);
  const now = permissionFlags[permission] ?? [];
  const granted = record.granted.includes(permission);
  const refused = now.includes('user-fixed') ? FINAL_REFUSAL : now.includes('user-set') ? 1 : 0;
  const times = granted ? 0 : refused;
  await database.put({
    ...record,
    permissionFlags,
    refusals: { ...record.refusals, [permission]: times },
  });
  const running = apps.all().filter((app) => app.packageName === packageName);
  await Promise.all(
    running.map(({ port }) => port.request('setPermission', { permission, granted, refusals: times })),
  );
}

function withFlags(
  { permissionFlags }: PackageRecord,
  permission: string,
  kept: (flag: PermissionFlag) => boolean,
  added: readonly PermissionFlag[],
): PackageRecord['permissionFlags'] {
  return {
    ...permissionFlags,
    [permission]: [...(permissionFlags[permission] ?? []).filter(kept), ...added],
  };
}

async function endProcesses(apps: AppManager, packageName: string): Promise<void> {
  const running = apps.all().filter((app) => app.packageName === packageName);
  await Promise.all(running.map((app) => apps.kill(app, 'permissions revoked')));
}

async function tellProcesses(
  apps: AppManager,
  packageName: string,
  permission: string,
  granted: boolean,
  except?: RunningApp,
): Promise<void> {
  const others = apps.all().filter((app) => app.packageName === packageName && app !== except);
  await Promise.all(others.map(({ port }) => port.request('setPermission', { permission, granted })));
}
