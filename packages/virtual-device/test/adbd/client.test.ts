import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdbHub, serverConnect, startServer } from '../../../jugg/src/adb/index.ts';
import { isRefused } from '../../../jugg/src/adb/faults.ts';
import { adbConnection } from '../../../jugg/src/adb/connection.ts';
import { connectDirect } from '../../../jugg/src/adb/direct.ts';
import type { AdbConnection, AdbHub } from '../../../jugg/src/adb/types.ts';
import type { Result } from '../../../jugg/src/shared/outcome.ts';
import { adbMissing, freePort, RealAdb } from '../support/real-adb.ts';
import { startTestDevice } from '../support/test-device.ts';
import type { TestDevice } from '../support/test-device.ts';

const missing = await adbMissing();

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.fault.code}: ${result.fault.message}`);
  return result.value;
}

let vd: TestDevice;
let folder: string;

beforeAll(async () => {
  vd = await startTestDevice();
  folder = await mkdtemp(join(tmpdir(), 'adb-client-'));
});

afterAll(async () => {
  await vd.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The same calls through both ways to the device. */
function suite(connect: () => AdbConnection): void {
  test('exit codes and both outputs', async () => {
    const result = value(await connect().shell('echo out; echo err >&2; exit 7'));
    expect(result).toEqual({ stdout: 'out\n', stderr: 'err\n', exitCode: 7 });
  });

  test('argument lists arrive as they are', async () => {
    const words = ['a b', "it's", '$HOME', '`id`', '"', '\\', '*', '', 'é😀', '-n', '; exit 3'];
    const result = value(await connect().shell(['printf', '%s|', ...words]));
    expect(result.stdout).toBe(words.map((word) => `${word}|`).join(''));
  });

  test('stdin', async () => {
    expect(value(await connect().shell('wc -c', { stdin: 'x'.repeat(300_000) })).stdout).toBe('300000\n');
  });

  test('bytes are not touched by exec', async () => {
    const bytes = randomBytes(200_000);
    value(await connect().push(bytes, '/data/local/tmp/exec.bin'));
    expect(value(await connect().exec('cat /data/local/tmp/exec.bin')).equals(bytes)).toBe(true);
  });

  test('a long running command is read while it runs and ends when it is killed', async () => {
    const shell = value(await connect().spawn('while true; do echo tick; sleep 0.01; done'));
    const first = await new Promise<string>((resolve) => {
      shell.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    });
    expect(first).toContain('tick');
    shell.kill();
    expect((await shell.exit).ok).toBe(false);
  });

  test('push, stat, pull', async () => {
    const bytes = randomBytes(3_000_000);
    const file = join(folder, 'push.bin');
    await writeFile(file, bytes);
    const steps: number[] = [];
    value(
      await connect().push({ file }, '/sdcard/deep/er/push.bin', {
        mode: 0o640,
        mtimeS: 1_700_000_000,
        onProgress: (done) => steps.push(done),
      }),
    );
    expect(steps.at(-1)).toBe(bytes.length);
    const stat = value(await connect().stat('/sdcard/deep/er/push.bin'));
    expect(stat).toMatchObject({ kind: 'file', size: bytes.length, mode: 0o660, mtimeS: 1_700_000_000 });
    expect(value(await connect().pull('/sdcard/deep/er/push.bin')).equals(bytes)).toBe(true);
    const back = join(folder, 'back.bin');
    value(await connect().pullFile('/sdcard/deep/er/push.bin', back));
    expect((await readFile(back)).equals(bytes)).toBe(true);
  });

  test('a link is a link to lstat and its target to stat', async () => {
    expect(value(await connect().lstat('/sdcard'))?.kind).toBe('link');
    expect(value(await connect().stat('/sdcard'))?.kind).toBe('directory');
  });

  test('what is not there', async () => {
    expect(value(await connect().stat('/sdcard/none'))).toBeNull();
    const pulled = await connect().pull('/sdcard/none');
    expect(pulled).toMatchObject({
      ok: false,
      fault: { code: 'ENVIRONMENT_ERROR', data: { deviceMessage: 'open failed: No such file or directory' } },
    });
    const pushed = await connect().push(randomBytes(500_000), '/system/bin/x');
    expect(pushed).toMatchObject({
      ok: false,
      fault: { data: { deviceMessage: "couldn't create file: Read-only file system" } },
    });
  });

  test('list', async () => {
    value(await connect().shell('mkdir -p /sdcard/list/sub; echo hello > /sdcard/list/a.txt'));
    const entries = value(await connect().list('/sdcard/list'));
    expect(entries.map(({ name, kind, size }) => [name, kind, kind === 'file' ? size : 0])).toEqual([
      ['a.txt', 'file', 6],
      ['sub', 'directory', 0],
    ]);
  });

  test('a service that does not exist is refused, and the connection lives on', async () => {
    for (const service of ['no-such-service:', 'localabstract:nobody', `tcp:${vd.port}`]) {
      const opened = await connect().openStream(service);
      expect(!opened.ok && isRefused(opened.fault)).toBe(true);
    }
    expect(value(await connect().shell('echo still')).stdout).toBe('still\n');
  });

  test('a wait ends at its time and with its signal', async () => {
    expect(await connect().shell('sleep 30', { timeoutMs: 50 })).toMatchObject({
      fault: { code: 'TIMEOUT' },
    });
    const controller = new AbortController();
    const running = connect().shell('sleep 30', { signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ fault: { code: 'CANCELED' } });
    expect(await connect().shell('echo', { signal: controller.signal })).toMatchObject({
      fault: { code: 'CANCELED' },
    });
  });

  test('many streams at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 40 }, (_none, index) => connect().shell(['echo', String(index)])),
    );
    expect(all.map((result) => value(result).stdout)).toEqual(all.map((_result, index) => `${index}\n`));
  });
}

describe('direct', () => {
  let hub: AdbHub;
  let connection: AdbConnection;
  beforeAll(async () => {
    hub = createAdbHub({
      server: null,
      virtualDevices: () => Promise.resolve([{ host: '127.0.0.1', port: vd.port, name: 'test' }]),
    });
    connection = value(await hub.connect('test'));
  });
  afterAll(() => hub.close());
  suite(() => connection);

  test('the device is listed', () => {
    expect(hub.devices()).toMatchObject([
      {
        serial: vd.serial,
        state: 'device',
        kind: 'virtual',
        viaServer: false,
        name: 'test',
        model: 'Jugg_Virtual_Device',
      },
    ]);
  });

  test('an unknown serial is no device', async () => {
    expect(await hub.connect('127.0.0.1:1')).toMatchObject({ fault: { code: 'NO_DEVICE' } });
  });
});

describe.skipIf(missing !== null)(
  `behind the real adb server${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    let adb: RealAdb;
    let hub: AdbHub;
    let connection: AdbConnection;
    beforeAll(async () => {
      adb = new RealAdb(await freePort());
      const address = { host: '127.0.0.1', port: adb.port };
      const soon = AbortSignal.timeout(20_000);
      hub = createAdbHub({ server: address });
      value(await startServer('adb', address, soon));
      value(await serverConnect(address, vd.serial, 'connect', soon));
      connection = value(await hub.connect(vd.serial));
    });
    afterAll(async () => {
      await hub.close();
      await adb.stop();
    });
    suite(() => connection);

    test('the device is listed once, and as virtual', async () => {
      expect(await hub.refresh()).toMatchObject([{ serial: vd.serial, kind: 'virtual', viaServer: true }]);
      expect(hub.serverVersion()).toBe(41);
      const both = createAdbHub({
        server: { host: '127.0.0.1', port: adb.port },
        virtualDevices: () => Promise.resolve([{ host: '127.0.0.1', port: vd.port, name: 'test' }]),
      });
      expect(await both.refresh()).toMatchObject([{ serial: vd.serial, viaServer: false, name: 'test' }]);
      await both.close();
    });

    test('a device that is disconnected vanishes from the list', async () => {
      const seen = new Promise<void>((resolve) => {
        const stop = hub.subscribe((devices) => {
          if (devices.length > 0) return;
          stop();
          resolve();
        });
      });
      await adb.run(['disconnect', vd.serial]);
      await seen;
      expect(await connection.shell('echo')).toMatchObject({ fault: { code: 'DEVICE_GONE' } });
      await adb.run(['connect', vd.serial]);
      await expect.poll(() => hub.devices().length, { timeout: 20_000 }).toBe(1);
    });
  },
);

test('a device that dies in the middle of a call', async () => {
  const dying = await startTestDevice();
  const hub = createAdbHub({
    server: null,
    virtualDevices: () => Promise.resolve([{ host: '127.0.0.1', port: dying.port, name: 'dying' }]),
  });
  const connection = value(await hub.connect('dying'));
  const running = connection.shell('sleep 30');
  // Long enough for the command to have started.
  await connection.shell('true');
  await dying.stop();
  expect(await running).toMatchObject({ fault: { code: 'DEVICE_GONE' } });
  expect(hub.devices()).toEqual([]);
  expect(await connection.shell('true')).toMatchObject({ fault: { code: 'DEVICE_GONE' } });
  await hub.close();
});

test('a device without the newer protocols', async () => {
  const transport = value(await connectDirect({ host: '127.0.0.1', port: vd.port }));
  const adb = adbConnection({
    serial: transport.serial,
    features: new Set(),
    openStream: (service, signal) => transport.openStream(service, signal),
  });
  expect(value(await adb.shell('echo out; echo err >&2; exit 7'))).toEqual({
    stdout: 'out\nerr\n',
    stderr: '',
    exitCode: 7,
  });
  value(await adb.push(Buffer.from('old'), '/sdcard/old/file', { mtimeS: 1_600_000_000 }));
  expect(value(await adb.stat('/sdcard/old/file'))).toEqual({
    mode: 0o664,
    kind: 'file',
    size: 3,
    mtimeS: 1_600_000_000,
    uid: null,
    gid: null,
  });
  expect(value(await adb.stat('/sdcard/old/none'))).toBeNull();
  expect(value(await adb.list('/sdcard/old')).map(({ name }) => name)).toEqual(['file']);
  const installed = value(await adb.install(Buffer.from('no apk'), ['-r']));
  expect(installed.output).toContain('INSTALL_PARSE_FAILED_NOT_APK');
  expect((await adb.list('/data/local/tmp')).ok).toBe(true);
  transport.close();
});
