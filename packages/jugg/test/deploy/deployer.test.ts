import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevice } from '../../src/device/index.ts';
import { APP, never, Stage } from '../device/stage.ts';
import { MAIN, quietWork, RES, valueOf } from '../engine/support.ts';

const TEXT = `${MAIN}/CountText.kt`;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open('deploy-test');
});
afterAll(() => stage?.close());

async function pid(): Promise<number | undefined> {
  return valueOf(await stage.device.processes(APP, never))[0]?.pid;
}

/** Names of the jars of class files that the device has. */
async function classFiles(): Promise<readonly string[]> {
  const files = valueOf(await stage.connection.list('/data/local/tmp/jugg/classes'));
  return files.map(({ name }) => name).sort();
}

// The tests tell one story, in their order: each begins with what the one before left on the device.
describe('one app, from the first deploy on', () => {
  test('the first one installs and starts it', async () => {
    const done = await stage.deploy();
    expect(done).toMatchObject({
      deployType: 'INSTALL',
      component: `${APP}/.MainActivity`,
      overlayPending: false,
    });
    expect(done.pid).toBe(await pid());
    await stage.see({ text: 'Count: 0' });
  });

  test('the device has its class files, and runs them', async () => {
    expect(await classFiles()).toEqual(
      valueOf(await (await stage.request()).classJars())
        .map(({ dexSha256 }) => `${dexSha256}.jar`)
        .sort(),
    );
    const log = valueOf(await stage.connection.shell('logcat -d -s JuggVirtualDevice'));
    expect(log.stdout).not.toContain('.jar is not used');
  });

  test('nothing changed', async () => {
    const before = await pid();
    expect(await stage.deploy()).toMatchObject({ deployType: 'NONE', pid: before, reasons: [] });
  });

  test('a method body goes into the running process, which keeps its state', async () => {
    await stage.tap({ text: 'Add' });
    await stage.see({ text: 'Count: 1' });
    const before = await pid();
    await stage.bench.replace(TEXT, 'Count: ', 'Total: ');
    const done = await stage.deploy();
    expect(done).toMatchObject({ deployType: 'HOT_RELOAD', pid: before, overlayPending: true });
    expect(await pid()).toBe(before);
    await stage.tap({ resourceId: 'count' });
    await stage.see({ text: 'Total: 1' });
    expect(await stage.deployer.lastDeployed(stage.bench.projectDir, stage.device.serial)).toMatchObject({
      applicationId: APP,
      deployType: 'HOT_RELOAD',
      overlayPending: true,
    });
  });

  // A process that runs translated code would refuse: dex has other methods for it.
  test('the body of a lambda', async () => {
    await stage.bench.replace(ACTIVITY, '.setOnClickListener { add(stepBar.step) }', MORE);
    expect(await stage.deploy()).toMatchObject({ deployType: 'HOT_RELOAD' });
    await stage.tap({ text: 'Add' });
    await stage.see({ text: 'Total: 3' });
  });

  test('another server run knows all that', async () => {
    const done = await stage.newDeployer().deploy(stage.device, await stage.request(), quietWork());
    expect(done).toMatchObject({ value: { deployType: 'NONE', overlayPending: true } });
  });

  test('a restart installs the newer code first', async () => {
    const { projectDir } = stage.bench;
    const before = await pid();
    const done = valueOf(
      await stage.deployer.restart(stage.device, { projectDir, packageName: APP }, quietWork()),
    );
    expect(done.pid).not.toBe(before);
    await stage.see({ text: 'Total: 0' });
    expect(await stage.deployer.lastDeployed(projectDir, stage.device.serial)).toMatchObject({
      overlayPending: false,
    });
  });

  test('an ordinary restart', async () => {
    const { projectDir } = stage.bench;
    const before = await pid();
    const began = Date.now();
    const done = valueOf(
      await stage.deployer.restart(stage.device, { projectDir, packageName: APP }, quietWork()),
    );
    expect(done).toMatchObject({ component: `${APP}/.MainActivity` });
    expect(done.pid).not.toBe(before);
    expect(stage.deployer.lastStart(stage.device.serial, APP)).toBeGreaterThanOrEqual(began);
  });

  test('a resource needs a new APK', async () => {
    const before = await classFiles();
    await stage.bench.replace(`${RES}/values/strings.xml`, '>Add<', '>More<');
    const done = await stage.deploy();
    expect(done).toMatchObject({ deployType: 'EMBEDDED', overlayPending: false });
    expect(done.reasons.join()).toContain('resources');
    expect(await classFiles()).toEqual(before);
    await stage.see({ text: 'More' });
  });

  test('a body in an app that does not run', async () => {
    valueOf(await stage.device.forceStop(APP, never));
    await stage.bench.replace(TEXT, 'Total: ', 'Sum: ');
    const before = await classFiles();
    expect(await stage.deploy()).toMatchObject({ deployType: 'EMBEDDED' });
    await stage.see({ text: 'Sum: 0' });
    // Those of the build before are gone.
    const after = await classFiles();
    expect(after.filter((name) => !before.includes(name))).toHaveLength(1);
    expect(after).toHaveLength(before.length);
  });

  test('a process that died takes its newer code along', async () => {
    await stage.bench.replace(TEXT, 'Sum: ', 'Taps: ');
    expect(await stage.deploy()).toMatchObject({ deployType: 'HOT_RELOAD' });
    valueOf(await stage.device.forceStop(APP, never));
    expect(await stage.deploy()).toMatchObject({ deployType: 'EMBEDDED', overlayPending: false });
    await stage.see({ text: 'Taps: 0' });
  });

  test('an interrupted deploy is seen and mended', async () => {
    const dir = join(stage.bench.dirs.state, 'deployed');
    const [name = ''] = await readdir(dir);
    const record: unknown = JSON.parse(await readFile(join(dir, name), 'utf8'));
    const unfinished = { deployType: 'EMBEDDED', stateId: 'x' };
    await writeFile(join(dir, name), JSON.stringify({ ...Object(record), unfinished }));
    const done = await stage.deploy();
    expect(done.deployType).toBe('INSTALL');
    expect(done.reasons.join()).toContain('interrupted');
    expect(await stage.deploy()).toMatchObject({ deployType: 'NONE' });
  });

  test('an app that somebody else installed is not taken for ours', async () => {
    const apk = valueOf(await (await stage.request()).packageApk());
    valueOf(await stage.device.install(apk, { replace: true, packageName: APP }, never));
    const done = await stage.deploy();
    expect(done.deployType).toBe('INSTALL');
    expect(done.reasons.join()).toContain('somebody else');
  });

  test('a crash at the start is told, and the app counts as installed', async () => {
    await stage.bench.replace(TEXT, 'fun countText(count: Int): String = "Taps: $count"', CRASHING);
    const done = await stage.tryDeploy({ alwaysRestartApp: true });
    expect(done).toMatchObject({
      fault: {
        code: 'APP_CRASHED',
        message: expect.stringContaining(
          'IllegalStateException: no count at dev.jugg.sample.counter.CountTextKt',
        ),
        data: { crash: { exception: 'java.lang.RuntimeException', process: APP } },
      },
    });
    await stage.bench.replace(TEXT, CRASHING, 'fun countText(count: Int): String = "Taps: $count"');
    expect(await stage.deploy()).toMatchObject({ deployType: 'EMBEDDED' });
    await stage.see({ text: 'Taps: 0' });
  });

  test('a file that is no APK is refused, and what is there stays', async () => {
    const bad = join(stage.bench.folder, 'bad.apk');
    await writeFile(bad, 'not an APK');
    await stage.bench.replace(`${RES}/values/strings.xml`, '>More<', '>Plus<');
    const before = await classFiles();
    const request = await stage.request({ packageApk: () => Promise.resolve({ ok: true, value: bad }) });
    const done = await stage.deployer.deploy(stage.device, request, quietWork());
    expect(done).toMatchObject({ fault: { code: 'INSTALL_FAILED' } });
    expect(await classFiles()).toEqual(before);
    await stage.see({ text: 'More' });
    expect(await stage.deploy()).toMatchObject({ deployType: 'EMBEDDED' });
  });

  test('a clean installation', async () => {
    const request = { ...(await stage.request()), keepData: false };
    expect(await stage.deployer.reinstall(stage.device, request, quietWork())).toMatchObject({
      value: { deployType: 'INSTALL' },
    });
    expect(await stage.deploy()).toMatchObject({ deployType: 'NONE' });
  });

  test('an app that is gone', async () => {
    valueOf(await stage.device.uninstall(APP, never));
    valueOf(await stage.device.uninstall(APP, never));
    const { projectDir } = stage.bench;
    expect(
      await stage.deployer.restart(stage.device, { projectDir, packageName: APP }, quietWork()),
    ).toMatchObject({
      fault: { code: 'APP_NOT_INSTALLED' },
    });
    const done = await stage.deploy();
    expect(done).toMatchObject({ deployType: 'INSTALL', reasons: ['The app is not installed.'] });
  });

  test('a device that is not ours gets none, and those of the build before go', async () => {
    const before = await classFiles();
    const phone = createDevice(stage.connection, { kind: 'usb', name: null });
    const request = await stage.request();
    const done = await stage.deployer.reinstall(phone, { ...request, keepData: true }, quietWork());
    expect(done).toMatchObject({ value: { deployType: 'INSTALL' } });
    expect(await classFiles()).toHaveLength(before.length - 1);
    await phone.close();
  });
});

const ACTIVITY = `${MAIN}/MainActivity.kt`;
const MORE = '.setOnClickListener { add(stepBar.step + 1) }';
const CRASHING = 'fun countText(count: Int): String = error("no count")';
