import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectDirect } from '../../../jugg/src/adb/direct.ts';
import { parseLogcat } from '../../../jugg/src/formats/logcat.ts';
import { judgeDump } from '../../../jugg/src/formats/uiautomator.ts';
import { FAULT_NAMES, UIAUTOMATOR_FAILURES } from '../../src/faults/catalogue.ts';
import { directClient, value } from '../support/direct.ts';
import type { DirectClient } from '../support/direct.ts';
import { manifestApk } from '../support/manifest-apk.ts';
import { startTestDevice } from '../support/test-device.ts';
import type { TestDevice } from '../support/test-device.ts';

let vd: TestDevice;
let client: DirectClient;
let apk: string;

beforeAll(async () => {
  [vd, apk] = await Promise.all([startTestDevice(), manifestApk()]);
});
beforeEach(async () => {
  client = await directClient(vd.port);
});
afterEach(() => {
  client.close();
  vd.device.faults.clearAll();
});
afterAll(() => vd.stop());

const faults = (): TestDevice['device']['faults'] => vd.device.faults;

describe('what is asked for', () => {
  test('names and values that are none are told what there is', () => {
    expect(faults().trySet('ofline', {})).toBe(
      `There is no fault "ofline"; there are ${FAULT_NAMES.join(', ')}.`,
    );
    expect(faults().trySet('slow-link', { bytesPerSecond: 'fast' })).toMatch(
      /^slow-link: bytesPerSecond: .*Its options: bytesPerSecond \(each way\), latencyMs/,
    );
    expect(faults().trySet('slow-link', { speed: '5' })).toContain('unknown option speed');
    expect(faults().trySet('uiautomator', { how: 'badly' })).toContain(UIAUTOMATOR_FAILURES[0]);
    expect(faults().active()).toEqual([]);
  });

  test('each one can be set with what a command line gives, listed, and ends by itself or on command', async () => {
    expect(faults().trySet('disk-full', { forMs: '30' })).toBeNull();
    expect(faults().active()).toMatchObject([{ name: 'disk-full', options: { freeBytes: 0, forMs: 30 } }]);
    await expect.poll(() => faults().active()).toEqual([]);
    faults().set('install-refused', { times: 2 });
    expect(faults().active()).toMatchObject([{ timesLeft: 2 }]);
    expect(faults().clear('install-refused')).toBe(true);
    expect(faults().clear('install-refused')).toBe(false);
  });
});

describe('the link', () => {
  test('offline: who is connected is thrown out, and who comes gets no answer', async () => {
    faults().set('offline', {});
    expect(await client.adb.shell('echo')).toMatchObject({ fault: { code: 'DEVICE_GONE' } });
    const again = await connectDirect({ host: '127.0.0.1', port: vd.port }, { timeoutMs: 300 });
    expect(again).toMatchObject({ ok: false, fault: { code: 'TIMEOUT' } });
    faults().clear('offline');
    client = await directClient(vd.port);
    expect((await client.sh('echo back')).stdout).toBe('back\n');
  });

  test('unauthorized', async () => {
    faults().set('unauthorized', {});
    const refused = await connectDirect({ host: '127.0.0.1', port: vd.port });
    expect(refused).toMatchObject({ fault: { code: 'DEVICE_UNAUTHORIZED' } });
  });

  test('vanish: nobody is at the port, then the device is there again', async () => {
    faults().set('vanish', { forMs: 300 });
    expect(await connectDirect({ host: '127.0.0.1', port: vd.port })).toMatchObject({
      fault: { code: 'DEVICE_GONE' },
    });
    await faults().whenCleared('vanish');
    await expect
      .poll(async () => (await connectDirect({ host: '127.0.0.1', port: vd.port })).ok, { timeout: 10_000 })
      .toBe(true);
  });

  test('slow: a transfer takes the time that its bytes need, and each answer its latency', async () => {
    faults().set('slow-link', { bytesPerSecond: 400_000, latencyMs: 5 });
    const bytes = randomBytes(200_000);
    const began = performance.now();
    value(await client.adb.push(bytes, '/sdcard/slow.bin'));
    expect(performance.now() - began).toBeGreaterThan(450);
    expect(value(await client.adb.pull('/sdcard/slow.bin')).equals(bytes)).toBe(true);
    expect(performance.now() - began).toBeGreaterThan(900);
    faults().clear('slow-link');
    expect((await client.sh('wc -c < /sdcard/slow.bin')).stdout.trim()).toBe('200000');
  });

  test('cut: the connection breaks after that many bytes, once', async () => {
    faults().set('cut', { afterBytes: 300_000 });
    const pushed = await client.adb.push(randomBytes(2_000_000), '/sdcard/cut.bin');
    expect(pushed).toMatchObject({ ok: false, fault: { code: 'DEVICE_GONE' } });
    expect(faults().active()).toEqual([]);
    client = await directClient(vd.port);
    const size = value(await client.adb.stat('/sdcard/cut.bin'))?.size ?? 0;
    expect(size).toBeLessThan(300_000);
    faults().set('cut', { afterBytes: 100_000 });
    value(await client.adb.shell('true'));
    expect(await client.adb.exec('seq 1 200000')).toMatchObject({ ok: false });
  });

  test('stall: of a service, of a command; both go on when it is over', async () => {
    faults().set('stall', { service: 'sync' });
    expect(await client.adb.stat('/sdcard', { timeoutMs: 200 })).toMatchObject({
      fault: { code: 'TIMEOUT' },
    });
    expect((await client.sh('echo shell')).stdout).toBe('shell\n');
    const waiting = client.adb.stat('/sdcard');
    faults().set('stall', { service: 'pm' });
    faults().clear('stall');
    expect(value(await waiting)?.kind).toBe('directory');
    faults().set('stall', { service: 'pm' });
    expect(await client.adb.shell('pm list packages', { timeoutMs: 200 })).toMatchObject({
      fault: { code: 'TIMEOUT' },
    });
    expect((await client.sh('echo other')).stdout).toBe('other\n');
  });
});

describe('the system', () => {
  test('a full disk: for files, for redirects, for installs', async () => {
    faults().set('disk-full', { freeBytes: 1000 });
    expect(await client.adb.push(randomBytes(5000), '/sdcard/big.bin')).toMatchObject({
      fault: { data: { deviceMessage: 'write failed: No space left on device' } },
    });
    value(await client.adb.push(randomBytes(600), '/sdcard/small.bin'));
    expect((await client.sh('df /data')).stdout).toMatch(/ 100% \/data\n/);
    const installed = value(await client.adb.install({ file: apk }, []));
    expect(installed.output).toContain('java.io.IOException: Requested internal only, but not enough space');
    faults().clear('disk-full');
    expect(value(await client.adb.install({ file: apk }, [])).output).toContain('Success');
  });

  test('installs are refused with the reason that was asked for, as often as asked for', async () => {
    faults().set('install-refused', {
      reason: 'INSTALL_FAILED_USER_RESTRICTED',
      text: 'Install canceled by user',
      times: 1,
    });
    expect(value(await client.adb.install({ file: apk }, [])).output).toContain(
      'Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]',
    );
    expect(value(await client.adb.install({ file: apk }, [])).output).toContain('Success');
  });

  test.each([
    ['not-idle', 'UI_NOT_IDLE'],
    ['never-idle', 'UI_NOT_IDLE'],
    ['killed', 'UI_DUMP_KILLED'],
    ['null-root', 'UI_DUMP_EMPTY'],
    ['busy', 'UI_AUTOMATION_BUSY'],
    ['dead-object', 'UI_DUMP_EMPTY'],
    ['no-file', 'UI_DUMP_EMPTY'],
  ] as const)('uiautomator: %s is %s', async (how, code) => {
    faults().set('uiautomator', { how, times: 1 });
    const said = await client.sh('uiautomator dump /sdcard/w.xml');
    const read = await client.adb.pull('/sdcard/w.xml');
    const file = read.ok ? read.value.toString() : null;
    expect(judgeDump({ ...said, file, compressed: false, attempt: 1 })).toMatchObject({
      ok: false,
      error: code,
    });
    await client.sh('uiautomator dump /sdcard/w.xml');
    expect(value(await client.adb.pull('/sdcard/w.xml')).toString()).toContain('<hierarchy');
    await client.sh('rm /sdcard/w.xml');
  });

  test('uiautomator: a screen that moves can be read compressed; another path; a hang', async () => {
    faults().set('uiautomator', { how: 'not-idle' });
    expect((await client.sh('uiautomator dump --compressed /sdcard/c.xml')).stdout).toContain('dumped to');
    faults().set('uiautomator', { how: 'other-path' });
    expect((await client.sh('uiautomator dump /sdcard/d.xml')).stdout).toContain(
      'emulated/0/window_dump.xml',
    );
    expect(value(await client.adb.stat('/sdcard/d.xml'))).toBeNull();
    faults().set('uiautomator', { how: 'hang' });
    expect(await client.adb.shell('uiautomator dump', { timeoutMs: 200 })).toMatchObject({
      fault: { code: 'TIMEOUT' },
    });
  });

  test('the clock jumps, in the shell and in the log', async () => {
    const before = Number((await client.sh('date +%s')).stdout);
    faults().set('clock-jump', { ms: -3_600_000 });
    const after = Number((await client.sh('date +%s')).stdout);
    expect(before - after).toBeGreaterThan(3590);
    expect(before - after).toBeLessThan(3601);
    await client.sh('log -t Jump here; touch /sdcard/then');
    const line = (await client.sh('logcat -d -v epoch -s Jump')).stdout;
    expect(Number(/^\s*(\d+)\.\d+/m.exec(line)?.[1])).toBeLessThan(before - 3590);
    expect(value(await client.adb.stat('/sdcard/then'))?.mtimeS).toBeLessThan(before - 3590);
  });

  test('a boot loop: there without a system, away, there again; over when it is cleared', async () => {
    faults().set('boot-loop', { upMs: 400, downMs: 50 });
    client.close();
    const reconnect = async (): Promise<boolean> => {
      const transport = await connectDirect({ host: '127.0.0.1', port: vd.port });
      if (transport.ok) transport.value.close();
      return transport.ok;
    };
    await expect.poll(reconnect, { interval: 10, timeout: 10_000 }).toBe(true);
    client = await directClient(vd.port);
    expect((await client.sh('getprop sys.boot_completed')).stdout).toBe('\n');
    expect(await client.sh('pm list packages')).toMatchObject({
      stderr: "cmd: Can't find service: package\n",
      exitCode: 20,
    });
    expect(await client.adb.shell('sleep 20')).toMatchObject({ fault: { code: 'DEVICE_GONE' } });
    faults().clear('boot-loop');
    await expect.poll(reconnect, { timeout: 10_000 }).toBe(true);
    client = await directClient(vd.port);
    expect((await client.sh('getprop sys.boot_completed')).stdout).toBe('1\n');
    expect((await client.sh('pm list packages android')).stdout).toContain('package:android\n');
  });

  test('the log is flooded', async () => {
    faults().set('log-flood', { linesPerSecond: 20_000, tag: 'Noise' });
    await expect
      .poll(async () => parseLogcat((await client.sh('logcat -d -s Noise')).stdout).entries.length, {
        timeout: 10_000,
      })
      .toBeGreaterThan(1000);
  });
});

test('each fault is in the documentation', async () => {
  const text = await readFile(new URL('../../../../docs/virtual-device.md', import.meta.url), 'utf8');
  for (const name of FAULT_NAMES) expect(text).toContain(`\`${name}\``);
});
