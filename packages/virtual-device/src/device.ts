import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyStore } from './adbd/auth.ts';
import { startAdbd } from './adbd/server.ts';
import type { Adbd } from './adbd/server.ts';
import { openService } from './adbd/services.ts';
import type { AppProcessPoolPort } from './app-process/types.ts';
import { AppManager } from './apps/app-manager.ts';
import { SystemLog } from './apps/system-log.ts';
import { fileTrust } from './apps/trust.ts';
import type { DeviceFolders } from './daemon/rootfs.ts';
import { faultyCommands } from './faults/commands.ts';
import { faultySpace } from './faults/disk.ts';
import { startEffects } from './faults/effects.ts';
import { Faults } from './faults/faults.ts';
import { CutBudget, FaultyLink } from './faults/link.ts';
import { faultyPool } from './faults/processes.ts';
import { whenNotStalled } from './faults/stall.ts';
import { DeviceFs } from './fs/device-fs.ts';
import { UserFs } from './fs/user-fs.ts';
import { virtualFiles } from './fs/virtual-files.ts';
import { PackageDatabase } from './packages/database.ts';
import { Installer } from './packages/installer.ts';
import { Sessions } from './packages/sessions.ts';
import { procFiles } from './services/process-commands.ts';
import type { Services } from './services/services.ts';
import { startActivity } from './services/start-activity.ts';
import { commandTable } from './services/table.ts';
import type { CommandTable } from './shell/command.ts';
import { FIRST_PORT } from './spec.ts';
import type { Spec } from './spec.ts';
import { Display } from './system/display.ts';
import { Logd } from './system/logd.ts';
import { bootProperties, profileOf } from './system/profile.ts';
import { Properties } from './system/properties.ts';
import { SettingsStore } from './system/settings-store.ts';

/** What the device is made of outside of itself. */
export interface DeviceParts {
  readonly spec: Spec;
  readonly folders: DeviceFolders;
  readonly pool: AppProcessPoolPort;
  now(): number;
  /** `adb reboot` */
  reboot(): void;
}

export interface Device {
  readonly adbd: Adbd;
  readonly services: Services;
  /** What goes wrong on command. */
  readonly faults: Faults;
  /** Keys of clients that may use the device, where it asks for them. */
  readonly keys: KeyStore;
  close(): Promise<void>;
}

/** Ports tried when none is given. */
const PORT_ATTEMPTS = 100;

/** Puts a device together and lets its adbd listen; `null` when no port is free. */
export async function startDevice(parts: DeviceParts): Promise<Device | null> {
  const { spec, folders } = parts;
  const faults = new Faults();
  // The two refer to each other: commands are files of the device, and commands work on files.
  const table: { commands: CommandTable; services: Services | null } = {
    commands: new Map(),
    services: null,
  };
  const files = new DeviceFs(
    folders.root,
    virtualFiles(
      () => (table.services ? procFiles(table.services) : new Map()),
      () => [...table.commands.keys()],
    ),
    faultySpace(faults),
  );
  await files.prepare();
  await removeStaged(files.hostPath('/data/app'));
  const services = await makeServices(parts, files, faults);
  table.services = services;
  table.commands = faultyCommands(commandTable(services), faults);
  let shellPid = 4_200_000;
  const keys = new KeyStore(join(folders.base, 'adb_keys'));
  const cut = new CutBudget(faults);
  const adbd = await startAdbd({
    keys,
    auth: () => (faults.get('unauthorized') ? 'refuse' : spec.auth),
    isSilent: () => faults.get('offline') !== null,
    link: (socket) => new FaultyLink(socket, faults, cut),
    props: Object.fromEntries(
      ['ro.product.name', 'ro.product.model', 'ro.product.device'].map((name) => [
        name,
        services.properties.get(name),
      ]),
    ),
    open: whenNotStalled(faults, (service) =>
      openService(service, {
        shell: {
          commands: table.commands,
          fsFor: (uid) => new UserFs(files, uid, (name) => services.database.ownerOf(name)),
          // Beyond what a kernel gives to processes, so that they never clash with a JVM's.
          nextPid: () => shellPid++,
          now: () => services.now(),
        },
        socketDir: folders.sockets,
        appPids: () => services.apps.all().map(({ pid }) => pid),
        debuggablePids: () => debuggablePids(services),
        onProcessesChanged: (listener) => services.apps.onChange(listener),
        reboot: () => parts.reboot(),
      }),
    ),
    port: spec.port === 0 ? FIRST_PORT : spec.port,
    attempts: spec.port === 0 ? PORT_ATTEMPTS : 1,
  });
  if (!adbd) return null;
  const stopEffects = startEffects(faults, adbd, services);
  return {
    adbd,
    services,
    faults,
    keys,
    async close() {
      stopEffects();
      // The port last: who waits for it to close knows then that everything is gone.
      await services.apps.close();
      await adbd.close();
    },
  };
}

async function makeServices(parts: DeviceParts, files: DeviceFs, faults: Faults): Promise<Services> {
  const { spec, folders } = parts;
  const pool = faultyPool(parts.pool, faults);
  const profile = profileOf(spec.api);
  const bootMs = parts.now();
  const now = (): number => parts.now() + (faults.get('clock-jump')?.ms ?? 0);
  const properties = new Properties(bootProperties(profile, { ...spec, bootMs }));
  const logd = new Logd();
  const log = new SystemLog(logd, process.pid, spec.api, now);
  const database = new PackageDatabase(join(folders.base, 'packages.json'));
  await database.load();
  const apps: AppManager = new AppManager({
    pool,
    files,
    logd,
    log,
    trust: fileTrust(join(folders.base, 'trusted-apks'), spec.trustAll),
    socketDir: folders.sockets,
    config: () => display.config(),
    now,
    startedByApp: (app, intent) => {
      const asked = {
        ...intent,
        categories: intent.categories ?? [],
        flags: intent.flags ?? 0,
        extras: intent.extras ?? {},
      };
      startActivity(services, withoutUndefined(asked), app.uid).catch((error: unknown) => {
        log.system('ActivityTaskManager', `start failed: ${String(error)}`, 'E');
      });
    },
  });
  const display: Display = new Display(spec, async (config) => {
    await Promise.all(apps.all().map((app) => app.port.request('configure', { config })));
  });
  const installer = new Installer({
    files,
    database,
    profile,
    now,
    stopPackage: (packageName, why) => apps.stopPackage(packageName, why),
    // As dex2oat on a device: the first start finds the code translated.
    installed: (apks) => void pool.prepare(apks),
    log: (message) => log.system('PackageManager', message),
    refusal: () => faults.strike('install-refused'),
  });
  const services: Services = {
    profile,
    properties,
    settings: new SettingsStore(),
    display,
    logd,
    log,
    files,
    database,
    sessions: new Sessions(files.hostPath('/data/app'), bootMs, files.space),
    installer,
    apps,
    systemPid: process.pid,
    bootMs,
    now,
    power: { awake: true },
  };
  log.system('SystemServer', 'Entered the Android system server! (Jugg virtual device)');
  log.event('boot_progress_enable_screen', [0]);
  return services;
}

/** Optional fields that are there without a value are left out. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Every key that is left has a value.
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** What a killed daemon had staged for installs. */
async function removeStaged(appFolder: string): Promise<void> {
  for (const name of await readdir(appFolder)) {
    if (name.startsWith('vmdl')) await rm(join(appFolder, name), { recursive: true, force: true });
  }
}

function debuggablePids(services: Services): number[] {
  return services.apps.all().flatMap(({ pid, record }) => (record.manifest.debuggable ? [pid] : []));
}
