import { randomUUID } from 'node:crypto';
import type { AdbConnection, DeviceRef } from '../adb/types.ts';
import { systemClock } from '../shared/clock.ts';
import { shippedFile } from '../shared/paths.ts';
import { AdbDevice } from './adb-device.ts';
import type { Device } from './types.ts';

/** One for each server: inspectors of other servers in the same process have their own. */
let nonce: string | undefined;

/** The device behind a connection. Closing it leaves the connection open. */
export function createDevice(connection: AdbConnection, ref: Pick<DeviceRef, 'kind' | 'name'>): Device {
  nonce ??= randomUUID();
  return new AdbDevice({
    connection,
    ref,
    inspectorJar: shippedFile('jars/inspector.jar'),
    nonce,
    clock: systemClock,
  });
}
