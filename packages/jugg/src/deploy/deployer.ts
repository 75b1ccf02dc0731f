import type { Engine } from '../engine/types.ts';
import type { Device } from '../device/types.ts';
import { systemClock, type Clock } from '../shared/clock.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import { decide } from './decide.ts';
import { RecordStore, type DeployRecord } from './record.ts';
import { restart, type RestartRequest, type Restarted } from './restart.ts';
import { isOverlayPending, lookAt, toSituation } from './situation.ts';
import { hotReload, install, keep, REFUSED, type Transaction } from './transaction.ts';
import type { DeployedState, Deployer, Deployment, DeployRequest } from './types.ts';

export interface DeployerOptions {
  readonly stateDir: string;
  /** Makes the APK that a restart has to install first. */
  readonly engine: () => Promise<Pick<Engine, 'lastState' | 'packageApk' | 'classJars'>>;
  /** Called with every APK that Jugg made, before it is installed: virtual devices start no others by themselves. */
  readonly vouchFor?: (apk: string) => Promise<void>;
  readonly clock?: Clock;
}

/** Deploys as `decide` says; what a lighter way cannot do is done by the next heavier one, and the answer says why. */
export class DeviceDeployer implements Deployer {
  readonly #store: RecordStore;
  readonly #engine: DeployerOptions['engine'];
  readonly #vouchFor: (apk: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #starts = new Map<string, number>();
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor({ stateDir, engine, vouchFor, clock = systemClock }: DeployerOptions) {
    this.#store = new RecordStore(stateDir);
    this.#engine = engine;
    this.#vouchFor = vouchFor ?? (() => Promise.resolve());
    this.#clock = clock;
  }

  deploy(device: Device, request: DeployRequest, work: WorkContext): Promise<Result<Deployment>> {
    return this.#inTurn(device.serial, async () => {
      const tx = await this.#open(device, request, work);
      if (!tx.ok) return tx;
      const began = this.#clock.now();
      const done = await this.#carryOut(tx.value);
      tx.value.timings['total'] = this.#clock.now() - began;
      return done;
    });
  }

  async #carryOut(tx: Transaction): Promise<Result<Deployment>> {
    const decision = decide(toSituation(tx.found, tx.request));
    const { record } = tx.found;
    if (!record) return install(tx, 'INSTALL', decision.reasons);
    if (decision.deployType === 'NONE') return keep(tx, record);
    if (decision.deployType !== 'HOT_RELOAD') return install(tx, 'EMBEDDED', decision.reasons);
    const reloaded = await hotReload(tx, record, decision);
    if (reloaded.ok) return reloaded;
    const { code, message } = reloaded.fault;
    if (REFUSED.has(code))
      return install(tx, 'EMBEDDED', [`The running process refused the new code: ${message}`]);
    // An app that hangs takes no code, and the new code may be what mends it.
    if (code === 'UI_NOT_IDLE')
      return install(tx, 'EMBEDDED', [`The running process does not answer: ${message}`]);
    return reloaded;
  }

  reinstall(
    device: Device,
    request: DeployRequest & { readonly keepData: boolean },
    work: WorkContext,
  ): Promise<Result<Deployment>> {
    return this.#inTurn(device.serial, async () => {
      const tx = await this.#open(device, request, work);
      if (!tx.ok) return tx;
      const reasons = ['A clean installation was asked for.'];
      if (request.keepData) return install(tx.value, 'INSTALL', reasons);
      // Made before anything is removed: a failed build must not cost the installed app.
      const apk = await request.packageApk();
      if (!apk.ok) return apk;
      const gone = await device.uninstall(request.state.applicationId, work.signal);
      return gone.ok ? install(tx.value, 'INSTALL', reasons) : gone;
    });
  }

  restart(device: Device, request: RestartRequest, work: WorkContext): Promise<Result<Restarted>> {
    return this.#inTurn(device.serial, async () => {
      const found = await lookAt(device, request.packageName, this.#store, work.signal);
      if (!found.ok) return found;
      if (!found.value.app)
        return fail('APP_NOT_INSTALLED', `${request.packageName} is not installed. Call deploy.`);
      return restart({
        device,
        request,
        found: found.value,
        store: this.#store,
        engine: await this.#engine(),
        work,
        clock: this.#clock,
        vouchFor: this.#vouchFor,
        onStart: () => this.#noteStart(device.serial, request.packageName),
      });
    });
  }

  async lastDeployed(projectDir: string, serial: string): Promise<DeployedState | null> {
    const record = await this.#store.latest(projectDir, serial);
    return record && toState(record);
  }

  lastStart(serial: string, packageName: string): number | null {
    return this.#starts.get(`${serial} ${packageName}`) ?? null;
  }

  async #open(device: Device, request: DeployRequest, work: WorkContext): Promise<Result<Transaction>> {
    const { applicationId } = request.state;
    const found = await lookAt(device, applicationId, this.#store, work.signal);
    if (!found.ok) return found;
    return ok({
      device,
      store: this.#store,
      request,
      found: found.value,
      work,
      clock: this.#clock,
      vouchFor: this.#vouchFor,
      onStart: () => this.#noteStart(device.serial, applicationId),
      timings: {},
    });
  }

  #noteStart(serial: string, packageName: string): void {
    this.#starts.set(`${serial} ${packageName}`, this.#clock.now());
  }

  /** One thing at a time on a device; others go on side by side. */
  async #inTurn<T>(serial: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(serial) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => undefined);
    this.#queues.set(serial, settled);
    try {
      return await mine;
    } finally {
      if (this.#queues.get(serial) === settled) this.#queues.delete(serial);
    }
  }
}

function toState(record: DeployRecord): DeployedState {
  return {
    applicationId: record.packageName,
    stateId: record.overlay?.state.id ?? record.installed.id,
    deployedAt: record.deployedAt,
    deployType: record.deployType,
    deviceTimeMs: record.deviceTimeMs,
    overlayPending: isOverlayPending(record),
  };
}
