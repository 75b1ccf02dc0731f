import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adbMissing, startRealAdb } from '../support/real-adb.ts';
import type { RealAdb } from '../support/real-adb.ts';
import { startTestDevice } from '../support/test-device.ts';
import type { TestDevice } from '../support/test-device.ts';

const missing = await adbMissing();

describe.skipIf(missing !== null)(`with Debian's adb${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let adb: RealAdb;
  let home: string;
  let vd: TestDevice;

  beforeAll(async () => {
    // Keys of its own: adb makes them where its server's home is.
    home = await mkdtemp(join(tmpdir(), 'adb-home-'));
    [adb, vd] = await Promise.all([startRealAdb({ HOME: home }), startTestDevice()]);
  });
  afterAll(async () => {
    await adb.stop();
    await vd.stop();
    await rm(home, { recursive: true, force: true });
  });

  const state = async (serial = vd.serial): Promise<string> =>
    new RegExp(`^${serial}\\t(.+)$`, 'm').exec((await adb.run(['devices'])).stdout)?.[1] ?? 'none';

  test('it sees the device go offline, and come back', async () => {
    await adb.run(['connect', vd.serial]);
    await expect.poll(() => state()).toBe('device');
    vd.device.faults.set('offline', {});
    await expect.poll(() => state(), { timeout: 15_000 }).toBe('offline');
    vd.device.faults.clear('offline');
    await adb.run(['disconnect', vd.serial]);
    await adb.run(['connect', vd.serial]);
    await expect.poll(() => state(), { timeout: 15_000 }).toBe('device');
  });

  test('a push is cut, and the next one is whole', async () => {
    const file = join(home, 'push.bin');
    await writeFile(file, randomBytes(3_000_000));
    vd.device.faults.set('cut', { afterBytes: 1_000_000 });
    expect((await adb.run(['-s', vd.serial, 'push', file, '/sdcard/push.bin'])).code).not.toBe(0);
    await adb.run(['disconnect', vd.serial]);
    await adb.run(['connect', vd.serial]);
    await expect.poll(() => state(), { timeout: 15_000 }).toBe('device');
    expect((await adb.run(['-s', vd.serial, 'push', file, '/sdcard/push.bin'])).code).toBe(0);
  });

  test('keys: asked for and said yes to, then known; any; none', async () => {
    const asks = await startTestDevice({ auth: 'ask' });
    try {
      await adb.run(['connect', asks.serial]);
      await expect.poll(() => state(asks.serial), { timeout: 15_000 }).toBe('unauthorized');
      expect((await adb.run(['-s', asks.serial, 'shell', 'id'])).stderr).toContain('unauthorized');
      await expect.poll(() => asks.device.keys.pending.length).toBe(1);
      expect(await asks.device.keys.authorizeAll()).toBe(1);
      await expect.poll(() => state(asks.serial), { timeout: 15_000 }).toBe('device');
      await adb.run(['disconnect', asks.serial]);
      await adb.run(['connect', asks.serial]);
      // The signature is enough now: nobody is asked again.
      await expect.poll(() => state(asks.serial), { timeout: 15_000 }).toBe('device');
      expect((await adb.run(['-s', asks.serial, 'shell', 'echo in'])).stdout).toBe('in\n');
    } finally {
      await asks.stop();
    }
    const takesAny = await startTestDevice({ auth: 'accept' });
    await adb.run(['connect', takesAny.serial]);
    await expect.poll(() => state(takesAny.serial), { timeout: 15_000 }).toBe('device');
    takesAny.device.faults.set('unauthorized', {});
    await adb.run(['disconnect', takesAny.serial]);
    await adb.run(['connect', takesAny.serial]);
    await expect.poll(() => state(takesAny.serial), { timeout: 15_000 }).toBe('unauthorized');
    await takesAny.stop();
  }, 120_000);
});
