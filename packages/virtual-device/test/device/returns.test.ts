import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdbHub } from '../../../jugg/src/adb/index.ts';
import type { AdbHub, DeviceRef } from '../../../jugg/src/adb/types.ts';
import { createDevice } from '../../../jugg/src/device/index.ts';
import { Devices } from '../../../jugg/src/runtime/devices.ts';
import { startTestDevice, type TestDevice } from '../support/test-device.ts';

const never = new AbortController().signal;
let vd: TestDevice;
let serial: string;
let hub: AdbHub;
beforeAll(async () => {
  vd = await startTestDevice();
  serial = `127.0.0.1:${vd.port}`;
  hub = createAdbHub({
    server: null,
    virtualDevices: () => Promise.resolve([{ name: 'returning', host: '127.0.0.1', port: vd.port }]),
  });
});
afterAll(() => vd.stop());

function devicesOf(listing: AdbHub): Devices {
  return new Devices(listing, (connection, ref) => createDevice(connection, ref));
}

async function ask(devices: Devices): Promise<string> {
  const ref = (await devices.list(never)).find((one) => one.serial === serial);
  if (ref === undefined) return 'not listed';
  const device = await devices.open(ref, never);
  const now = device.ok ? await device.value.now(never) : device;
  return now.ok ? 'there' : now.fault.code;
}

async function away(forMs: number): Promise<void> {
  vd.device.faults.set('vanish', { forMs });
  await vd.device.faults.whenCleared('vanish');
}

/** The hub as it is while an adb server has not noticed that the device went, and goes on listing it. */
function slowToNotice(ref: DeviceRef): AdbHub {
  const listed = (): readonly DeviceRef[] => {
    const direct = hub.devices();
    return direct.length > 0 ? direct : [{ ...ref, viaServer: true, transportId: 1 }];
  };
  return {
    devices: listed,
    refresh: async (options) => {
      await hub.refresh(options);
      return listed();
    },
    subscribe: (listener) => hub.subscribe(() => listener(listed())),
    connect: (wanted, options) => hub.connect(wanted, options),
    serverVersion: () => 41,
    close: () => hub.close(),
  };
}

describe('a device that went and came back while nobody asked for it', () => {
  test('and was not listed meanwhile', async () => {
    const devices = devicesOf(hub);
    await expect.poll(() => ask(devices)).toBe('there');
    await away(100);
    await expect.poll(() => ask(devices), { timeout: 10_000 }).toBe('there');
  });

  test('and was listed all the time by an adb server', async () => {
    const [ref] = await hub.refresh();
    if (ref === undefined) throw new Error('it is not there');
    const devices = devicesOf(slowToNotice(ref));
    expect(await ask(devices)).toBe('there');
    await away(100);
    await hub.refresh();
    await expect.poll(() => ask(devices), { timeout: 10_000 }).toBe('there');
    await devices.close();
  });
});
