import { systemClock, type Clock } from '../shared/clock.ts';
import { once } from '../shared/once.ts';
import type { Engine } from '../engine/types.ts';
import type { Deployer } from '../deploy/types.ts';
import type { Log } from '../shared/log.ts';
import type { JuggDirs } from '../shared/paths.ts';
import { pruneArtifacts } from './artifacts.ts';
import { DeviceUse } from './device-use.ts';
import { Devices } from './devices.ts';
import { LastDumps } from './last-dumps.ts';
import { Jobs } from './jobs.ts';
import { Projects } from './projects.ts';
import type { Runtime, RuntimeInfo } from './runtime.ts';
import type { Settings } from './settings.ts';
import { knownVirtualDevices, trustApk } from './virtual-devices.ts';

export interface RuntimeOptions {
  readonly info: RuntimeInfo;
  readonly dirs: JuggDirs;
  readonly settings: Settings;
  readonly log: Log;
  /** [the system's] */
  readonly clock?: Clock;
  /** Told once of each project that a call came for. */
  readonly onProject?: (projectDir: string) => void;
}

/**
 * Puts the runtime together. The engine, adb and the deployer are imported and made at their first use, so that a server
 * is ready in a moment.
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { dirs, settings, log } = options;
  const clock = options.clock ?? systemClock;
  const jobs = new Jobs(dirs.state, log, clock);
  const engine = once(async (): Promise<Engine> => {
    const { createEngine } = await import('../engine/index.ts');
    return createEngine({ dirs, log: (line: string) => log.info(line) });
  });
  const devices = once(async (): Promise<Devices> => {
    const [{ createAdbHub }, { createDevice }] = await Promise.all([
      import('../adb/index.ts'),
      import('../device/index.ts'),
    ]);
    const hub = createAdbHub({
      virtualDevices: () => knownVirtualDevices(dirs),
      log: (line) => log.info(line),
      ...(settings.adbServer ? {} : { server: null }),
    });
    return new Devices(hub, (connection, ref) => createDevice(connection, ref));
  });
  const deployer = once(async (): Promise<Deployer> => {
    const { createDeployer } = await import('../deploy/index.ts');
    return createDeployer({
      stateDir: dirs.state,
      engine: engine.get,
      vouchFor: (apk) => trustApk(dirs, apk),
    });
  });
  const tidyUp = async (): Promise<void> => {
    await jobs.prune(settings.jobsKept, settings.jobsKeptDays);
    await pruneArtifacts(dirs.artifacts, new Date());
  };
  tidyUp().catch((error: unknown) => log.error('tidying up', error));
  const touched = new Set<string>();
  const warmUp = async (projectDir: string): Promise<void> => {
    const made = await engine.get();
    const project = await made.describe(projectDir);
    // A project that was never built takes its time anyway, and may never be built here.
    if (project.ok && project.value.hasBeenFullCompiled) made.warmUp(projectDir);
  };
  return {
    ...options,
    touch: (projectDir) => {
      if (touched.has(projectDir)) return;
      touched.add(projectDir);
      options.onProject?.(projectDir);
      warmUp(projectDir).catch((error: unknown) => log.error('warming up', error));
    },
    projects: new Projects(dirs.state),
    jobs,
    deviceUse: new DeviceUse(),
    lastDumps: new LastDumps(),
    clock,
    devices: devices.get,
    engine: engine.get,
    deployer: deployer.get,
    now: () => new Date(clock.now()),
    close: async () => {
      await jobs.close();
      // What was never used was never made, and needs no closing.
      await (await engine.made())?.close();
      await (await devices.made())?.close();
    },
  };
}
