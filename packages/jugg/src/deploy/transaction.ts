import type { Device, InstalledApp, Started } from '../device/types.ts';
import type { Clock } from '../shared/clock.ts';
import { ok, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import type { Decision } from './decide.ts';
import { classFileOf } from '../engine/class-file.ts';
import { digestOf } from './digest.ts';
import type { DeployRecord, RecordStore } from './record.ts';
import { evidenceOf, liveOverlay, type Found } from './situation.ts';
import type { Deployment, DeployRequest, DeployType } from './types.ts';
import { describeStarted, startApp } from './start-app.ts';

export interface Transaction {
  readonly device: Device;
  readonly store: RecordStore;
  readonly request: DeployRequest;
  readonly found: Found;
  readonly work: WorkContext;
  readonly clock: Clock;
  /** Called with the APK before it is installed. */
  readonly vouchFor: (apk: string) => Promise<void>;
  /** Called right before the app is started, for the rule of waiting longer after a start of ours. */
  readonly onStart: () => void;
  /** Filled while the work goes on. */
  readonly timings: Record<string, number>;
}

const INSPECTOR_START_MS = 10_000;

async function timed<T>(tx: Transaction, name: string, work: () => Promise<T>): Promise<T> {
  const began = tx.clock.now();
  tx.work.phase(name);
  const result = await work();
  tx.timings[name] = (tx.timings[name] ?? 0) + tx.clock.now() - began;
  return result;
}

/** Says, before the device is touched, that what it has is not known: a crash from here on is seen by the next deploy. */
async function begin(
  { store, request, found }: Transaction,
  deployType: DeployType,
): Promise<{ readonly undo: () => Promise<void>; readonly before: DeployRecord | null }> {
  const old = await store.read(found.key);
  if (!old) return { undo: () => Promise.resolve(), before: null };
  await store.write({ ...old, unfinished: { deployType, stateId: request.state.id } });
  return { undo: () => store.write(old), before: old };
}

function newRecord(
  { request, found }: Transaction,
  deployType: DeployType,
  what: Pick<DeployRecord, 'installed' | 'evidence' | 'classFiles' | 'overlay'>,
): DeployRecord {
  return {
    ...what,
    version: 1,
    ...found.key,
    projectDir: request.projectDir,
    unfinished: null,
    deployType,
    deployedAt: new Date().toISOString(),
    deviceTimeMs: found.deviceTimeMs,
  };
}

/** Installs the whole APK over what is there and starts the app. */
export async function install(
  tx: Transaction,
  deployType: 'EMBEDDED' | 'INSTALL',
  reasons: readonly string[],
): Promise<Result<Deployment>> {
  const { device, request, found, work } = tx;
  const apk = await timed(tx, 'package', () => request.packageApk());
  if (!apk.ok) return apk;
  await tx.vouchFor(apk.value);
  const { undo, before } = await begin(tx, deployType);
  const classFiles = await timed(tx, 'install', () => handOverClasses(tx));
  const installed = await timed(tx, 'install', () =>
    device.install(apk.value, { replace: true, packageName: found.key.packageName }, work.signal),
  );
  if (!installed.ok) {
    // A package manager that refuses leaves the old app as it was. After anything else nobody knows.
    if (installed.fault.code !== 'INSTALL_FAILED') return installed;
    await undo();
    await device.dropClassFiles(without(classFiles, before?.classFiles), work.signal);
    return installed;
  }
  await saveInstalled(tx, deployType, installed.value, classFiles);
  await device.dropClassFiles(without(before?.classFiles, classFiles), work.signal);
  const started = await launch(tx);
  if (!started.ok) return started;
  return ok({
    serial: device.serial,
    deployType,
    reasons,
    ...whatRuns(started.value),
    overlayPending: false,
    message: `${deployType === 'INSTALL' ? 'Installed' : 'Updated'} ${found.key.packageName}${launched(started.value)}.`,
    timings: tx.timings,
  });
}

/**
 * Gives a virtual device the class files of the APK: it needs not translate the dex then. Answers the dex files of the
 * project's own code that it has them for; without, it works as well, but slower.
 */
async function handOverClasses({ device, found, request, work }: Transaction): Promise<string[]> {
  if (found.facts.kind !== 'virtual') return [];
  const jars = await request.classJars();
  const put = jars.ok ? await device.putClassFiles(jars.value, work.signal) : jars;
  if (!jars.ok || !put.ok) {
    if (!put.ok) work.log(`The device gets no class files and translates the code: ${put.fault.message}`);
    return [];
  }
  return jars.value.filter(({ own }) => own).map(({ dexSha256 }) => dexSha256);
}

function without(digests: readonly string[] = [], others: readonly string[] = []): string[] {
  return digests.filter((digest) => !others.includes(digest));
}

/** The APK is there whether the start works or not: a crash at the start must not make the next deploy install again. */
async function saveInstalled(
  tx: Transaction,
  deployType: DeployType,
  app: InstalledApp,
  classFiles: string[],
): Promise<void> {
  await tx.store.write(
    newRecord(tx, deployType, {
      installed: digestOf(tx.request.state),
      evidence: evidenceOf(app),
      classFiles,
      overlay: null,
    }),
  );
}

/** `null` when the app has no launcher activity and none was named: there is nothing to launch. */
export async function launch(tx: Transaction, stopFirst = false): Promise<Result<Started | null>> {
  const { device, request, found, work, onStart } = tx;
  const { packageName } = found.key;
  return timed(tx, 'launch', async () => {
    if (request.launchActivity === undefined) {
      const launcher = await device.launcher(packageName, work.signal);
      if (!launcher.ok) return launcher;
      if (launcher.value === null) return ok(null);
    }
    onStart();
    const started = await startApp(
      device,
      { packageName, activity: request.launchActivity, stopFirst },
      work.signal,
    );
    if (started.ok) startInspector(device, packageName);
    return started;
  });
}

/** Nobody waits for it: whoever looks at the app next, or reloads code, finds the inspector there. */
export function startInspector(device: Device, packageName: string): void {
  void device.ping(packageName, AbortSignal.timeout(INSPECTOR_START_MS));
}

function whatRuns(started: Started | null): Pick<Deployment, 'pid' | 'component'> {
  return { pid: started?.pid ?? null, component: started?.component ?? null };
}

function launched(started: Started | null): string {
  return started ? ` and started ${describeStarted(started)}` : '; it has nothing to launch';
}

/** Nothing differs: the app is only started, or restarted, where it must be. */
export async function keep(tx: Transaction, record: DeployRecord): Promise<Result<Deployment>> {
  const { device, request, found, store, work } = tx;
  const { pid, key } = found;
  const overlay = liveOverlay(found);
  const base = { serial: device.serial, deployType: 'NONE' as const, reasons: [] };
  if (pid !== null && !request.alwaysRestartApp && request.launchActivity === undefined) {
    await store.write(newRecord(tx, 'NONE', { ...record, overlay }));
    return ok({
      ...base,
      pid,
      component: await topOf(device, key.packageName, work.signal),
      overlayPending: overlay !== null && overlay.state.id !== record.installed.id,
      message: 'Nothing changed; the running app shows it already.',
      timings: tx.timings,
    });
  }
  const stopFirst = pid !== null && request.alwaysRestartApp;
  const started = await launch(tx, stopFirst);
  if (!started.ok) return started;
  const left = stopFirst ? null : overlay;
  await store.write(newRecord(tx, 'NONE', { ...record, overlay: left }));
  return ok({
    ...base,
    ...whatRuns(started.value),
    overlayPending: left !== null && left.state.id !== record.installed.id,
    message: `Nothing changed${launched(started.value)}.`,
    timings: tx.timings,
  });
}

async function topOf(device: Device, packageName: string, signal: AbortSignal): Promise<string | null> {
  const stack = await device.activities(signal);
  return stack.ok && stack.value.top?.packageName === packageName ? stack.value.top.component : null;
}

/** Redefines all changed classes in the running process, or none; then the APK is behind until it is next installed. */
export async function hotReload(
  tx: Transaction,
  record: DeployRecord,
  { classes, reasons }: Decision,
): Promise<Result<Deployment>> {
  const { device, request, found, store, work } = tx;
  const { key } = found;
  const code = classes.map((name) => {
    const dex = request.state.classes.get(name)?.dex ?? '';
    // D8 writes lambdas and nested classes in another shape than the class files have.
    return { name, code: record.classFiles.length > 0 ? classFileOf(dex) : dex };
  });
  const { undo } = await begin(tx, 'HOT_RELOAD');
  const [done, component] = await timed(tx, 'redefine', () =>
    Promise.all([
      device.redefine(key.packageName, code, work.signal),
      topOf(device, key.packageName, work.signal),
    ]),
  );
  if (!done.ok) {
    // All or nothing: a refusal leaves the process as it was. After a lost answer nobody knows.
    if (REFUSED.has(done.fault.code)) await undo();
    return done;
  }
  const state = digestOf(request.state);
  const isBack = state.id === record.installed.id;
  const { pid } = done.value;
  await store.write(
    newRecord(tx, 'HOT_RELOAD', {
      ...record,
      overlay: isBack ? null : { pid, state },
    }),
  );
  const count = `${classes.length} ${classes.length === 1 ? 'class' : 'classes'}`;
  const later = isBack
    ? ''
    : ' The installed APK is older; the next restart through Jugg installs the new one first.';
  return ok({
    serial: device.serial,
    deployType: 'HOT_RELOAD',
    reasons,
    pid,
    component,
    overlayPending: !isBack,
    message: `Redefined ${count} in the running process ${pid} in ${done.value.tookMs} ms.${later}`,
    timings: tx.timings,
  });
}

/** Faults after which the process is surely unchanged. */
export const REFUSED: ReadonlySet<string> = new Set([
  'DEPLOY_FAILED',
  'FEATURE_NOT_SUPPORTED',
  'NOT_DEBUGGABLE',
]);
