import type { Orientation } from '../system/orientation.ts';
import type { Setting, SettingsNamespace } from '../system/settings-store.ts';
import type { DeviceConfig } from '../app-process/config.ts';
import type { AppEvent, AppProcessPoolPort, ParamsOf } from '../app-process/types.ts';
import type { DeviceFs } from '../fs/device-fs.ts';
import type { Dismissal, ScreenState } from '../system/power.ts';
import type { Logd } from '../system/logd.ts';
import type { RunningApp } from './app-process-record.ts';
import type { SystemLog } from './system-log.ts';
import type { Trust } from './trust.ts';

/** An activity, a service, or receivers of other processes. */
export type AskedByApp = Extract<
  AppEvent,
  { event: 'started' | 'startService' | 'stopService' | 'broadcast' }
>;

export type AskedComponent = Extract<AppEvent, { event: 'findComponent' }>['params'];
export type AskedUriPermission = Extract<AppEvent, { event: 'uriPermission' }>['params'];
export type FoundComponent = Omit<ParamsOf<'componentFound'>, 'id'>;

export interface AppManagerHost {
  readonly pool: AppProcessPoolPort;
  readonly files: DeviceFs;
  readonly logd: Logd;
  readonly log: SystemLog;
  readonly trust: Trust;
  readonly socketDir: string;
  /** Screen and settings as they are now. */
  config(): DeviceConfig;
  /** On, locked, and how. */
  screen(): ScreenState;
  turnScreenOn(): void;
  /** `ro.*` */
  properties(): Record<string, string>;
  settings(): Record<SettingsNamespace, Record<string, string>>;
  /** An app has changed a setting. */
  settingPut(app: RunningApp, setting: Setting): void;
  /** How what is in front wants the screen to be turned. */
  wantOrientation(wanted: Orientation): void;
  /** An app wants the lock screen away. */
  dismissLock(): Promise<Dismissal>;
  now(): number;
  /** Whether apps find `android.content.res.loader`. */
  hasResourcesLoader(): boolean;
  /** An app asks for something that is not in its process. */
  askedByApp(app: RunningApp, asked: AskedByApp): void;
  /** An app needs a component that is not in its process. */
  findComponent(app: RunningApp, asked: AskedComponent): Promise<FoundComponent>;
  /** An app asks or says something about grants of URIs. */
  uriPermission(app: RunningApp, asked: AskedUriPermission): Omit<ParamsOf<'uriPermissionAnswer'>, 'id'>;
  /** The last process of a package has ended. */
  packageEnded(packageName: string): void;
  /** The user has answered in the dialog of a process. */
  permissionAnswered(app: RunningApp, permission: string, granted: boolean): void;
}
