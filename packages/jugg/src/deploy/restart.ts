import type { Engine } from '../engine/types.ts';
import type { Device } from '../device/types.ts';
import type { Clock } from '../shared/clock.ts';
import { ok, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import type { RecordStore } from './record.ts';
import { isOverlayPending, type Found } from './situation.ts';
import { describeStarted, startApp } from './start-app.ts';
import { install, startInspector } from './transaction.ts';

export interface RestartRequest {
  readonly projectDir: string;
  readonly packageName: string;
  readonly launchActivity?: string | undefined;
}

export interface Restarted {
  /** Both `null` when there is nothing to launch. */
  readonly pid: number | null;
  readonly component: string | null;
  readonly message: string;
}

export interface RestartContext {
  readonly device: Device;
  readonly request: RestartRequest;
  readonly found: Found;
  readonly store: RecordStore;
  readonly engine: Pick<Engine, 'lastState' | 'packageApk' | 'classJars'>;
  readonly work: WorkContext;
  readonly clock: Clock;
  readonly vouchFor: (apk: string) => Promise<void>;
  readonly onStart: () => void;
}

/** A new process shows what is in the APK: code that is newer than that is installed first. */
export async function restart(context: RestartContext): Promise<Result<Restarted>> {
  const { found } = context;
  if (found.record && isOverlayPending(found.record)) {
    const renewed = await installPending(context);
    if (renewed) return renewed;
  }
  return stopAndStart(context);
}

/** `null` when the newer code is not to be had any more; the restart then goes back to the APK's, and says so. */
async function installPending(context: RestartContext): Promise<Result<Restarted> | null> {
  const { device, request, found, store, engine, work, clock, vouchFor, onStart } = context;
  const state = await engine.lastState(found.record?.projectDir ?? request.projectDir);
  if (!state || state.applicationId !== request.packageName) return null;
  const { projectDir, launchActivity } = request;
  const deployRequest = {
    projectDir,
    state,
    alwaysRestartApp: true,
    launchActivity,
    packageApk: () => engine.packageApk(state, work),
    classJars: () => engine.classJars(state, work),
  };
  const reasons = ['The code in the process was newer than the installed APK.'];
  const done = await install(
    { device, store, request: deployRequest, found, work, clock, vouchFor, onStart, timings: {} },
    'EMBEDDED',
    reasons,
  );
  if (!done.ok) return done;
  const { pid, component } = done.value;
  return ok({ pid, component, message: `${reasons[0] ?? ''} ${done.value.message}` });
}

async function stopAndStart(context: RestartContext): Promise<Result<Restarted>> {
  const { device, request, found, store, work, onStart } = context;
  const { packageName, launchActivity } = request;
  const stopped = await device.forceStop(packageName, work.signal);
  if (!stopped.ok) return stopped;
  const lost = found.record !== null && isOverlayPending(found.record);
  if (found.record) await store.write({ ...found.record, overlay: null, deviceTimeMs: found.deviceTimeMs });
  const note = lost ? ' The code that had been reloaded is lost: deploy again.' : '';
  const launcher = await device.launcher(packageName, work.signal);
  if (!launcher.ok) return launcher;
  if (launcher.value === null && launchActivity === undefined) {
    const home = await device.home(work.signal);
    if (!home.ok) return home;
    return ok({
      pid: null,
      component: null,
      message: `Stopped ${packageName}; it has no launcher activity, so there is nothing to launch.${note}`,
    });
  }
  onStart();
  const started = await startApp(device, { packageName, activity: launchActivity }, work.signal);
  if (!started.ok) return started;
  startInspector(device, packageName);
  const { pid, component } = started.value;
  return ok({ pid, component, message: `Restarted ${describeStarted(started.value)}.${note}` });
}
