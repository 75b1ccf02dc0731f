import type { Device, DeviceFacts, InstalledApp } from '../device/types.ts';
import { ok, type Result } from '../shared/outcome.ts';
import type { Situation } from './decide.ts';
import { digestOf } from './digest.ts';
import type { DeployRecord, Evidence, RecordKey, RecordStore } from './record.ts';
import type { DeployRequest } from './types.ts';

/** What is on the device, looked at now. */
export interface Found {
  readonly key: RecordKey;
  readonly facts: DeviceFacts;
  readonly app: InstalledApp | null;
  /** Of the main process. */
  readonly pid: number | null;
  /** What this machine remembers, as far as the device's own evidence bears it out. */
  readonly record: DeployRecord | null;
  /** Why there is no such record. */
  readonly unknownBecause: string;
  /** Milliseconds since the epoch on the device's clock, before anything is done. */
  readonly deviceTimeMs: number;
}

export function evidenceOf({ apkPath, lastUpdateTime, versionCode }: InstalledApp): Evidence {
  return { apkPath, lastUpdateTime, versionCode };
}

function doubt(record: DeployRecord | null, app: InstalledApp | null): string | null {
  if (!app) return 'The app is not installed.';
  if (!record) return 'The installed app was not put there by Jugg.';
  if (record.unfinished)
    return 'The last deploy to this device was interrupted, so the app is installed anew.';
  const { apkPath, lastUpdateTime, versionCode } = record.evidence;
  const same =
    apkPath === app.apkPath && lastUpdateTime === app.lastUpdateTime && versionCode === app.versionCode;
  return same ? null : 'The app was installed by somebody else since the last deploy.';
}

export async function lookAt(
  device: Device,
  packageName: string,
  store: RecordStore,
  signal: AbortSignal,
): Promise<Result<Found>> {
  const facts = await device.facts(signal);
  if (!facts.ok) return facts;
  const user = await device.user(signal);
  if (!user.ok) return user;
  const key = { serial: device.serial, user: user.value, packageName };
  const [app, processes, now, record] = await Promise.all([
    device.app(packageName, signal),
    device.processes(packageName, signal),
    device.now(signal),
    store.read(key),
  ]);
  if (!app.ok) return app;
  if (!processes.ok) return processes;
  if (!now.ok) return now;
  const why = doubt(record, app.value);
  const main = processes.value.find(({ name }) => name === packageName);
  return ok({
    key,
    facts: facts.value,
    app: app.value,
    pid: main?.pid ?? null,
    record: why === null ? record : null,
    unknownBecause: why ?? '',
    deviceTimeMs: now.value,
  });
}

/** Newer code than the APK's, when the process that took it still runs. */
export function liveOverlay({ record, pid }: Pick<Found, 'record' | 'pid'>): DeployRecord['overlay'] {
  return record?.overlay && record.overlay.pid === pid ? record.overlay : null;
}

/** The APK on the device is older than what was deployed last: a restart must install the newer one first. */
export function isOverlayPending(record: DeployRecord): boolean {
  return record.overlay !== null && record.overlay.state.id !== record.installed.id;
}

export function toSituation(found: Found, { state, alwaysRestartApp }: DeployRequest): Situation {
  const { record, app, pid, facts } = found;
  const running = record && pid !== null ? (liveOverlay(found)?.state ?? record.installed) : null;
  return {
    installed: record?.installed ?? null,
    unknownBecause: found.unknownBecause,
    running,
    next: digestOf(state),
    device: { api: facts.api, canRedefine: facts.kind === 'virtual' },
    app: { debuggable: (app?.debuggable ?? false) && state.debuggable },
    options: { alwaysRestartApp },
  };
}
