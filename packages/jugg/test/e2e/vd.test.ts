import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDirect } from '../../src/adb/direct.ts';
import { TestHome } from './home.ts';

let home: TestHome;
let port: number;
beforeAll(async () => {
  home = await TestHome.make({ JUGG_ADB_SERVER: 'false', BROWSER: 'none' });
});
afterAll(() => home.close());

const reachable = async (): Promise<string> => {
  const transport = await connectDirect({ host: '127.0.0.1', port }, { timeoutMs: 2000 });
  if (transport.ok) transport.value.close();
  return transport.ok ? 'OK' : transport.fault.code;
};

describe('the virtual device on the command line', () => {
  test('start --window prints the address of its screen, which opens with the token alone', async () => {
    const args = ['vd', 'start', '--name', 'shown', '--api', '33', '--size', '720x1280', '--window'];
    const started = await home.json(args);
    expect(started).toMatchObject({ status: 'OK', data: { name: 'shown', opened: false } });
    port = Number(started.data['port']);
    const url = String(started.data['url']);
    expect(started.message).toContain(url);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url.replace(/token=.*/, 'token=guess'))).status).toBe(401);
  });

  test('list tells what runs, and no secret', async () => {
    const listed = await home.json(['vd', 'list']);
    const [device] = Array.isArray(listed.data['devices']) ? listed.data['devices'] : [];
    expect(device).toMatchObject({
      name: 'shown',
      serial: `127.0.0.1:${port}`,
      api: 33,
      size: '720x1280',
      apps: [],
      faults: [],
    });
    expect(JSON.stringify(listed)).not.toContain('token');
  });

  test('a picture of the screen', async () => {
    const out = join(home.folder, 'picture.png');
    const shot = await home.json(['vd', 'screenshot', '--name', 'shown', '--out', out]);
    expect(shot).toMatchObject({ status: 'OK', artifacts: [{ type: 'image', path: out }] });
    expect((await readFile(out)).readUInt32BE(16)).toBe(720);
    expect(await home.json(['vd', 'screenshot', '--name', 'shown', '--out', '/nowhere/x.png'])).toMatchObject(
      {
        errorCode: 'INVALID_PARAMS',
      },
    );
  });

  test('install says why not', async () => {
    expect(await home.json(['vd', 'install', 'none.apk', '--name', 'shown'])).toMatchObject({
      errorCode: 'APK_NOT_FOUND',
      exitCode: 5,
    });
    const noApk = join(home.project, 'settings.gradle.kts');
    expect(await home.json(['vd', 'install', noApk, '--name', 'shown'])).toMatchObject({
      errorCode: 'INSTALL_FAILED',
      message: expect.stringContaining('INSTALL_PARSE_FAILED_NOT_APK'),
    });
  });

  test('faults are set, listed and cleared; also while adb cannot see the device', async () => {
    const fault = (...args: string[]): ReturnType<TestHome['json']> =>
      home.json(['vd', 'fault', '--name', 'shown', ...args]);
    expect(await fault('offline')).toMatchObject({ status: 'OK', data: { faults: [{ name: 'offline' }] } });
    expect(await reachable()).toBe('TIMEOUT');
    const listed = await fault('list');
    expect(listed.message).toBe('1 set on shown.');
    expect(JSON.stringify(listed.data['available'])).toContain('bytesPerSecond');
    expect(await fault('clear')).toMatchObject({ data: { faults: [] } });
    expect(await reachable()).toBe('OK');
    expect(await fault('vanish', '--for-ms', '600000')).toMatchObject({ status: 'OK' });
    expect(await reachable()).toBe('DEVICE_GONE');
    // It is away, and still the same device: nobody starts another one in its place.
    expect((await home.json(['vd', 'start', '--name', 'shown'])).data['port']).toBe(port);
    expect(await fault('clear', 'vanish')).toMatchObject({ status: 'OK' });
    await expect.poll(reachable, { timeout: 10_000 }).toBe('OK');
    expect(await fault('slow-link', '--bytes-per-second', '100', '--latency-ms=5')).toMatchObject({
      data: { faults: [{ options: { bytesPerSecond: 100, latencyMs: 5 } }] },
    });
  });

  test.each([
    ['a fault that is none', ['gone'], 'There is no fault "gone"; there are offline, unauthorized, vanish'],
    ['an option that is none', ['cut', '--bytes', '5'], 'afterBytes'],
    ['a value that is none', ['log-flood', '--lines-per-second', 'many'], 'linesPerSecond'],
    ['an option without a value', ['cut', '--after-bytes'], 'a value is missing'],
    ['a word', ['cut', '5'], 'expected --option value'],
    ['one that is not set', ['clear', 'boot-loop'], 'boot-loop is not set'],
  ])('refuses %s', async (_name, args, message) => {
    const refused = await home.json(['vd', 'fault', '--name', 'shown', ...args]);
    expect(refused).toMatchObject({ errorCode: 'INVALID_PARAMS', exitCode: 2 });
    expect(refused.message).toContain(message);
  });

  test.each([
    [['--api', '30'], 'api 33 instead of 30'],
    [
      ['--size', '1080x2400', '--trust'],
      'size 720x1280 instead of 1080x2400, trustAll false instead of true',
    ],
  ])('the one of that name that runs is not taken for one with %j', async (options, differs) => {
    const refused = await home.json(['vd', 'start', '--name', 'shown', ...options]);
    expect(refused).toMatchObject({ errorCode: 'INVALID_PARAMS', exitCode: 2 });
    expect(refused.message).toContain(differs);
  });

  test.each([
    [['--locale', 'Klingon'], '--locale'],
    [['--size', '9x9'], '--size'],
    [['--density', 'high'], '--density'],
    [['--api', '12'], '--api'],
    [['--auth', 'maybe'], '--auth'],
    [['--name', 'a/b'], '--name'],
  ])('start refuses %j', async (options, named) => {
    const refused = await home.json(['vd', 'start', '--name', 'never', ...options]);
    expect(refused).toMatchObject({ errorCode: 'INVALID_PARAMS', exitCode: 2 });
    expect(refused.message).toContain(named);
  });

  test('three starts at once are one device', async () => {
    const starts = await Promise.all([1, 2, 3].map(() => home.json(['vd', 'start', '--name', 'crowd'])));
    expect(starts.map(({ status, message }) => [status, message])).toEqual(
      starts.map(() => ['OK', starts[0]?.message]),
    );
    expect(new Set(starts.map(({ data }) => data['pid'])).size).toBe(1);
    expect(await home.json(['vd', 'stop', 'crowd'])).toMatchObject({ status: 'OK' });
  });

  test('another name: what runs is named', async () => {
    const refused = await home.json(['vd', 'fault', 'list', '--name', 'other']);
    expect(refused).toMatchObject({ errorCode: 'NO_DEVICE', message: expect.stringContaining('shown') });
  });

  test('a device that is killed is gone from the list, with what it left', async () => {
    const listed = await home.json(['vd', 'list']);
    const [device] = Array.isArray(listed.data['devices']) ? listed.data['devices'] : [];
    const record = join(home.folder, 'home', 'state', 'vd', 'shown.json');
    const { socketDir } = JSON.parse(await readFile(record, 'utf8'));
    await access(socketDir);
    process.kill(Number(device.pid), 'SIGKILL');
    await expect
      .poll(async () => (await home.json(['vd', 'list'])).data['devices'], { timeout: 20_000 })
      .toEqual([]);
    await expect(access(record)).rejects.toThrow('ENOENT');
    await expect(access(socketDir)).rejects.toThrow('ENOENT');
  });
});
