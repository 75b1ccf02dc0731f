import type { PackageDatabase } from '../packages/database.ts';
import type { AppManager } from './app-manager.ts';
import type { RunningApp } from './app-process-record.ts';

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
  await database.put({ ...record, granted: granted ? [...others, permission] : others, refusals });
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
  await database.put({ ...record, granted: [], refusals: {} });
  if (record.granted.length > 0) await endProcesses(apps, packageName);
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
