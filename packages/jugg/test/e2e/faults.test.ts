import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestHome } from './home.ts';

const COUNT_TEXT = 'app/src/main/kotlin/dev/jugg/sample/counter/CountText.kt';
const STRINGS = 'app/src/main/res/values/strings.xml';
let home: TestHome;
let serial: string;

beforeAll(async () => {
  home = await TestHome.make({ JUGG_ADB_SERVER: 'false' });
  serial = await home.startDevice('faulty');
  await home.json(['init'], home.project);
});
afterAll(() => home.close());

type Answer = ReturnType<TestHome['json']>;
const jugg = (...args: string[]): Answer => home.json([...args, '--serial', serial], home.project);
const deploy = (): Answer => jugg('deploy', '--wait-app-ready-after-success');
const fault = async (...args: string[]): Promise<void> => {
  const set = await home.json(['vd', 'fault', '--name', 'faulty', ...args]);
  if (set.status !== 'OK') throw new Error(set.message);
};

async function edit(file: string, from: RegExp, to: string): Promise<void> {
  const path = join(home.project, file);
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace(from, () => to),
  );
}

describe('a device that fails on command, seen from Jugg', { timeout: 300_000 }, () => {
  test('an install that is refused is told in the words of the device; the next one goes through', async () => {
    await fault('install-refused', '--reason', 'INSTALL_FAILED_INSUFFICIENT_STORAGE', '--times', '1');
    const refused = await deploy();
    expect(refused).toMatchObject({ errorCode: 'INSTALL_FAILED', exitCode: 5 });
    expect(JSON.stringify(refused)).toContain('INSTALL_FAILED_INSUFFICIENT_STORAGE');
    expect(await deploy()).toMatchObject({ status: 'OK', data: { deployType: 'INSTALL' } });
  });

  test('a full disk', async () => {
    await fault('disk-full');
    await edit(STRINGS, /<\/resources>/, '  <string name="extra">extra</string>\n</resources>');
    const failed = await deploy();
    expect(failed.status).toBe('ERROR');
    expect(JSON.stringify(failed)).toMatch(/not enough space|No space left/);
    await fault('clear');
    expect(await deploy()).toMatchObject({ status: 'OK' });
  });

  test('without the inspector the screen is read by uiautomator, then by dumpsys', async () => {
    await fault('agent-refused');
    await jugg('restart', '--wait-app-ready-after-success');
    const dumped = await jugg('layout-dump', '--format', 'text');
    expect(dumped).toMatchObject({ status: 'OK', data: { source: 'uiautomator' } });
    expect(dumped.data['fallbackReason']).not.toBe('');
    // What is left then is `dumpsys activity top`; the answer says why.
    await fault('uiautomator', '--how', 'killed');
    const poorer = await jugg('layout-dump', '--format', 'text');
    expect(poorer).toMatchObject({ status: 'OK', data: { source: 'dumpsys' } });
    expect(poorer.data['fallbackReason']).toContain('The system killed uiautomator');
    await fault('clear');
  });

  test('an app that dies as soon as it is up is not reported as running', async () => {
    await fault('kill-app', '--phase', 'resumed');
    const died = await jugg('restart', '--wait-app-ready-after-success');
    expect(died.status).toBe('ERROR');
    expect(died.errorCode).toMatch(/^(APP_|ACTIVITY_NOT_STARTED)/);
    expect(await jugg('restart', '--wait-app-ready-after-success')).toMatchObject({ status: 'OK' });
  });

  test('the cable is pulled in the middle of a deploy; the next one has the newest', async () => {
    await edit(COUNT_TEXT, /"Count: \$count"/, '"Number: $count"');
    await fault('vanish', '--for-ms', '600000');
    const gone = await deploy();
    expect(gone.status).toBe('ERROR');
    expect(gone.errorCode).toMatch(/^(DEVICE_GONE|NO_DEVICE|DEVICE_OFFLINE)$/);
    await fault('clear');
    await expect.poll(async () => (await deploy()).status, { timeout: 60_000, interval: 500 }).toBe('OK');
    await jugg('restart', '--wait-app-ready-after-success');
    expect(await jugg('view-locate', '--target-text', 'Number: 0')).toMatchObject({ status: 'OK' });
  });

  test('a link that breaks while the APK goes over, and a slow one', async () => {
    await edit(STRINGS, /extra<\/string>/, 'more</string>');
    await fault('cut', '--after-bytes', '20000');
    const broken = await deploy();
    expect(broken.status).toBe('ERROR');
    expect(broken.errorCode).toMatch(/^DEVICE_/);
    await fault('slow-link', '--latency-ms', '20', '--bytes-per-second', '2000000');
    await expect.poll(async () => (await deploy()).status, { timeout: 120_000, interval: 500 }).toBe('OK');
    await fault('clear');
  });
});
