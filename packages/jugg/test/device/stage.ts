import { rm } from 'node:fs/promises';
import { createAdbHub } from '../../src/adb/index.ts';
import type { AdbConnection, AdbHub } from '../../src/adb/types.ts';
import { createDeployer } from '../../src/deploy/index.ts';
import type { Deployer, Deployment, DeployRequest } from '../../src/deploy/types.ts';
import { createDevice } from '../../src/device/index.ts';
import { locate } from '../../src/device/locate.ts';
import type { Match, Target, ViewTree } from '../../src/device/tree.ts';
import type { Device } from '../../src/device/types.ts';
import { startVirtualDevice } from '../../src/runtime/start-virtual-device.ts';
import { knownVirtualDevices, stopVirtualDevice, trustApk } from '../../src/runtime/virtual-devices.ts';
import type { Result } from '../../src/shared/outcome.ts';
import { virtualDeviceRuntime } from '../../src/toolchain/runtime.ts';
import { Bench, quietWork, valueOf } from '../engine/support.ts';

export const APP = 'dev.jugg.sample.counter';
export const never: AbortSignal = new AbortController().signal;

/** The sample, a virtual device and all that deploys the one to the other; nothing of the user's is touched. */
export class Stage {
  readonly bench: Bench;
  readonly connection: AdbConnection;
  readonly device: Device;
  readonly deployer: Deployer;
  readonly #hub: AdbHub;
  readonly #name: string;

  private constructor(bench: Bench, hub: AdbHub, connection: AdbConnection, name: string) {
    this.bench = bench;
    this.#hub = hub;
    this.connection = connection;
    this.#name = name;
    this.device = createDevice(connection, { kind: 'virtual', name });
    this.deployer = this.newDeployer();
  }

  static async open(name: string): Promise<Stage> {
    const bench = await Bench.open();
    const runtime = valueOf(await virtualDeviceRuntime({ signal: never, onProgress: () => {} }));
    const { serial } = valueOf(await startVirtualDevice(bench.dirs, { name }, runtime));
    const hub = createAdbHub({ server: null, virtualDevices: () => knownVirtualDevices(bench.dirs) });
    const connection = valueOf(await hub.connect(serial));
    return new Stage(bench, hub, connection, name);
  }

  /** As another run of the server sees it: nothing is remembered but the files. */
  newDeployer(): Deployer {
    const { dirs, engine } = this.bench;
    return createDeployer({
      stateDir: dirs.state,
      engine: () => Promise.resolve(engine),
      vouchFor: (apk) => trustApk(dirs, apk),
    });
  }

  async request(given: Partial<DeployRequest> = {}): Promise<DeployRequest> {
    const { state } = await this.bench.build();
    return {
      projectDir: this.bench.projectDir,
      state,
      alwaysRestartApp: false,
      packageApk: () => this.bench.engine.packageApk(state, quietWork()),
      classJars: () => this.bench.engine.classJars(state, quietWork()),
      ...given,
    };
  }

  async tryDeploy(given: Partial<DeployRequest> = {}): Promise<Result<Deployment>> {
    return this.deployer.deploy(this.device, await this.request(given), quietWork());
  }

  async deploy(given: Partial<DeployRequest> = {}): Promise<Deployment> {
    return valueOf(await this.tryDeploy(given));
  }

  async tree(): Promise<ViewTree> {
    return valueOf(await this.device.tree(APP, { includeGone: false }, never));
  }

  async find(target: Target): Promise<readonly Match[]> {
    return valueOf(locate(await this.tree(), target, { visibleOnly: true })).matches;
  }

  /** Waits at most 3 s: the app sets its texts when it gets round to it. */
  async see(target: Target): Promise<Match> {
    const end = Date.now() + 3_000;
    for (;;) {
      const [match] = await this.find(target);
      if (match) return match;
      if (Date.now() > end) throw new Error(`not on the screen: ${JSON.stringify(target)}`);
      // The screen is asked again, not waited for: nobody tells when it changes.
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  async tap(target: Target): Promise<void> {
    const { center } = await this.see(target);
    valueOf(await this.device.gesture(APP, { action: 'tap', x: center[0], y: center[1] }, never));
  }

  async close(): Promise<void> {
    await this.device.close();
    this.connection.close();
    await this.#hub.close();
    await stopVirtualDevice(this.bench.dirs, this.#name);
    await this.bench.close();
    await rm(this.bench.folder, { recursive: true, force: true });
  }
}
