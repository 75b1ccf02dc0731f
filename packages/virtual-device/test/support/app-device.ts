import { join } from 'node:path';
import { AppProcessPool } from '../../src/app-process/pool.ts';
import { localLaunchSpec, testCache } from '../app-process/local-tools.ts';
import { startTestDevice } from './test-device.ts';
import type { TestDevice } from './test-device.ts';

/** A device that starts real app processes, in this process; any APK may be started. */
export async function startAppDevice(changes: Record<string, unknown> = {}): Promise<TestDevice> {
  const pool = new AppProcessPool(await localLaunchSpec(join(testCache, 'device')));
  pool.warmUp();
  return startTestDevice({ trustAll: true, ...changes }, pool);
}
