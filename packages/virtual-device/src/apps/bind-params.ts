import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeviceConfig } from '../app-process/config.ts';
import type { AppEvent, ParamsOf } from '../app-process/types.ts';
import type { DeviceFs } from '../fs/device-fs.ts';
import { dataDir } from '../packages/record.ts';
import type { PackageRecord } from '../packages/record.ts';
import type { SettingsNamespace } from '../system/settings-store.ts';
import type { ScreenState } from '../system/power.ts';
import type { RunningApp } from './app-process-record.ts';

/** What tests an app: a package with an `<instrumentation>`, and what its runner is told. */
export interface TestRun {
  readonly record: PackageRecord;
  /** Full class name of the runner. */
  readonly className: string;
  readonly arguments: Readonly<Record<string, string>>;
  /** Hears what the process says, from before the runner is made. */
  heard(event: AppEvent): void;
}

interface Host {
  readonly files: DeviceFs;
  readonly socketDir: string;
  config(): DeviceConfig;
  screen(): ScreenState;
  properties(): Record<string, string>;
  settings(): Record<SettingsNamespace, Record<string, string>>;
  hasResourcesLoader(): boolean;
}

/** The `bind` that makes a spare process this app's; the folders that it names are made. */
export async function bindParams(
  host: Host,
  app: Pick<RunningApp, 'record' | 'pid' | 'processName'>,
  testRun?: TestRun,
): Promise<ParamsOf<'bind'>> {
  const { files, socketDir } = host;
  const { record } = app;
  const { packageName } = record.manifest;
  const data = files.hostPath(dataDir(packageName));
  const external = files.hostPath('/storage/emulated/0');
  await mkdir(external, { recursive: true });
  return {
    packageName,
    processName: app.processName,
    pid: app.pid,
    uid: record.uid,
    apks: apkPaths(files, record),
    dataDir: data,
    externalDir: external,
    codeCacheDir: join(data, 'code_cache'),
    socketDir,
    grantedPermissions: [...record.granted],
    refusals: record.refusals,
    // A spare was started with what the screen was then.
    config: host.config(),
    screen: host.screen(),
    properties: host.properties(),
    settings: host.settings(),
    ...(!host.hasResourcesLoader() && { withoutResourcesLoader: true }),
    ...(testRun && {
      instrumentation: {
        packageName: testRun.record.manifest.packageName,
        className: testRun.className,
        apks: apkPaths(files, testRun.record),
        dataDir: files.hostPath(dataDir(testRun.record.manifest.packageName)),
        arguments: { ...testRun.arguments },
      },
    }),
  };
}

function apkPaths(files: DeviceFs, record: PackageRecord): string[] {
  return record.apks.map((name) => files.hostPath(`${record.codePath}/${name}`));
}
