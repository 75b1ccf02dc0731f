import { join } from 'node:path';
import type { DeviceParts } from './device-parts.ts';
import type { Faults } from './faults/faults.ts';
import type { DeviceFs } from './fs/device-fs.ts';
import type { Services } from './services/services.ts';
import { AppManager } from './apps/app-manager.ts';
import { SystemLog } from './apps/system-log.ts';
import { UriGrants } from './apps/uri-grants.ts';
import { answerUriPermission } from './apps/uri-permission.ts';
import { permissionAnswered } from './apps/permissions.ts';
import { fileTrust } from './apps/trust.ts';
import { faultyPool } from './faults/processes.ts';
import { PackageDatabase } from './packages/database.ts';
import { Installer } from './packages/installer.ts';
import { Sessions } from './packages/sessions.ts';
import { findComponent } from './services/am/find-component.ts';
import { answerApp, broadcastFromSystem } from './services/am/to-apps.ts';
import { Display } from './system/display.ts';
import { Logd } from './system/logd.ts';
import { Power } from './system/power.ts';
import { bootProperties, profileOf } from './system/profile.ts';
import { Properties } from './system/properties.ts';
import { applySetting } from './services/settings-commands.ts';
import { SettingsStore } from './system/settings-store.ts';

/** logd counts equal lines in a row until Android 11. */
const LAST_API_WITH_CHATTY = 30;
/** `android.content.res.loader` came with Android 11. */
const FIRST_API_WITH_RESOURCES_LOADER = 30;

/** The services of a device, on its files; `reboot` ends all that runs and boots anew. */
export async function makeServices(
  parts: DeviceParts,
  files: DeviceFs,
  faults: Faults,
  reboot: () => void,
): Promise<Services> {
  const { spec, folders } = parts;
  const pool = faultyPool(parts.pool, faults);
  const profile = profileOf(spec.api);
  const bootMs = parts.now();
  const now = (): number => parts.now() + (faults.get('clock-jump')?.ms ?? 0);
  const properties = new Properties(bootProperties(profile, { ...spec, bootMs }));
  const logd = new Logd(profile.api <= LAST_API_WITH_CHATTY);
  const log = new SystemLog(logd, process.pid, spec.api, now);
  const database = new PackageDatabase(join(folders.base, 'packages.json'));
  await database.load();
  const grants = new UriGrants(database, join(folders.base, 'uri-grants.json'), now);
  await grants.load();
  let answers: Promise<void> = Promise.resolve();
  const apps: AppManager = new AppManager({
    pool,
    files,
    logd,
    log,
    trust: fileTrust(join(folders.base, 'trusted-apks'), spec.trustAll),
    socketDir: folders.sockets,
    config: () => display.config(),
    screen: () => power.state,
    turnScreenOn: () => void power.wake(),
    wantOrientation: (wanted) => void display.want(wanted),
    properties: () => Object.fromEntries(properties.all().filter(([name]) => name.startsWith('ro.'))),
    settings: () => settings.all(),
    settingPut: (app, { namespace, name, value }) => {
      if (value === undefined) settings.delete(namespace, name, app);
      else settings.put(namespace, name, value, app);
      void applySetting(namespace, name, value ?? '', display);
    },
    dismissLock: () => power.requestDismiss(),
    now,
    hasResourcesLoader: () =>
      profile.api >= FIRST_API_WITH_RESOURCES_LOADER && faults.get('resources-loader-missing') === null,
    askedByApp: (app, { event, params }) => {
      const { categories = [], flags = 0, extras = {} } = params;
      const intent = withoutUndefined({ ...params, categories, flags, extras });
      answerApp(services, app, event, intent).catch((error: unknown) => {
        log.system('ActivityTaskManager', `${event} failed: ${String(error)}`, 'E');
      });
    },
    findComponent: (app, asked) => findComponent(services, app, asked),
    uriPermission: (app, asked) => answerUriPermission(grants, database, app, asked),
    packageEnded: (packageName) => grants.ended(packageName),
    permissionAnswered: (app, permission, granted) => {
      answers = answers
        .then(() => permissionAnswered(database, apps, app, permission, granted))
        .catch((error: unknown) => {
          log.system('PermissionService', `${permission} is not kept: ${String(error)}`, 'E');
        });
    },
  });
  const settings: SettingsStore = new SettingsStore((setting, by) => {
    for (const app of apps.all()) if (app !== by) void app.port.request('setting', setting);
  });
  const power: Power = new Power({
    changed: () => apps.screenChanged(),
    occludes: () => apps.frontOccludes,
    broadcast: (action) => {
      broadcastFromSystem(services, action).catch((error: unknown) => {
        log.system('ActivityManager', `${action} failed: ${String(error)}`, 'E');
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
    forgotten: (packageName) => grants.forget(packageName),
    // As dex2oat on a device: the first start finds the code translated.
    installed: (apks) => void pool.prepare(apks),
    log: (message) => log.system('PackageManager', message),
    refusal: () => faults.strike('install-refused'),
  });
  const services: Services = {
    profile,
    properties,
    settings,
    display,
    logd,
    log,
    files,
    database,
    sessions: new Sessions(files.hostPath('/data/app'), bootMs, files.space),
    installer,
    apps,
    grants,
    systemPid: process.pid,
    bootMs,
    now,
    reboot,
    power,
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
