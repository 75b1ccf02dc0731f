import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppProcessPoolPort } from '../../src/app-process/types.ts';
import { makeFolders, removeSockets } from '../../src/daemon/rootfs.ts';
import { startDevice } from '../../src/device.ts';
import type { Device } from '../../src/device.ts';
import { specSchema } from '../../src/spec.ts';
import { freePort } from './real-adb.ts';

export interface TestDevice {
  readonly device: Device;
  readonly port: number;
  readonly serial: string;
  readonly stateDir: string;
  /** Folder of the abstract sockets. */
  sockets(): string;
  /** Ends the device and starts it anew with the same state and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** For all that needs no app: a start says that there is no process. */
const NO_PROCESSES: AppProcessPoolPort = {
  take: () => Promise.resolve({ ok: false, fault: { code: 'PROCESS_GONE', message: 'no JVM in this test' } }),
  prepare: () => Promise.resolve(),
  setConfig: () => {},
  close: () => Promise.resolve(),
};

/** A device in this process; without a pool it starts no apps. */
export async function startTestDevice(
  changes: Record<string, unknown> = {},
  pool?: AppProcessPoolPort,
): Promise<TestDevice> {
  const stateDir = await mkdtemp(join(tmpdir(), 'vd-test-'));
  const spec = specSchema.parse({
    name: 'test',
    port: await freePort(),
    stateDir,
    runtime: {
      java: 'none',
      classPath: ['none'],
      frameworkJar: 'none',
      nativeJar: 'none',
      cacheDir: stateDir,
    },
    ...changes,
  });
  let folders = await makeFolders(spec);
  let device = await boot();
  async function boot(): Promise<Device> {
    const started = await startDevice({ spec, folders, pool: pool ?? NO_PROCESSES, now: Date.now });
    if (!started) throw new Error('no port');
    return started;
  }
  return {
    get device() {
      return device;
    },
    port: spec.port,
    serial: `127.0.0.1:${spec.port}`,
    stateDir,
    sockets: () => folders.sockets,
    async restart() {
      await device.close();
      await removeSockets(folders.sockets);
      folders = await makeFolders(spec);
      device = await boot();
    },
    async stop() {
      await device.close();
      await removeSockets(folders.sockets);
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}
