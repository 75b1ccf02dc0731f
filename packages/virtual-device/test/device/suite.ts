import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseActivities } from '../../../jugg/src/formats/activities.ts';
import { parseStart } from '../../../jugg/src/formats/am-start.ts';
import { findCrashes, findDeaths } from '../../../jugg/src/formats/crash.ts';
import { parseLogcat } from '../../../jugg/src/formats/logcat.ts';
import { parseUiHierarchy } from '../../../jugg/src/formats/uiautomator-xml.ts';
import type { UiNode } from '../../../jugg/src/formats/uiautomator-xml.ts';
import { parseWindowFocus } from '../../../jugg/src/formats/window-focus.ts';
import { FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { startAppDevice } from '../support/app-device.ts';
import { signedFixture } from '../support/signed-apk.ts';
import type { TestDevice } from '../support/test-device.ts';
import { sameContent } from '../support/tool.ts';
import type { Tool } from '../support/tool.ts';

const MAIN = `${FIXTURE_PACKAGE}/.MainActivity`;

/** One story with one app, told in order: install, start, look, touch, break, remove. */
export function deviceSuite(connect: (port: number) => Promise<Tool>): void {
  let vd: TestDevice;
  let tool: Tool;
  let folder: string;
  let apk: string;
  let pid: string;

  beforeAll(async () => {
    [vd, apk] = await Promise.all([startAppDevice(), signedFixture()]);
    tool = await connect(vd.port);
    folder = await mkdtemp(join(tmpdir(), 'device-suite-'));
  });

  afterAll(async () => {
    await tool.close();
    await vd.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const sh = async (command: string): Promise<string> => (await tool.shell(command)).stdout;

  async function screen(): Promise<readonly UiNode[]> {
    await tool.shell('uiautomator dump /sdcard/window.xml');
    const hierarchy = parseUiHierarchy(await sh('cat /sdcard/window.xml'));
    const all: UiNode[] = [];
    const walk = (nodes: readonly UiNode[]): void => {
      for (const node of nodes) {
        all.push(node);
        walk(node.children);
      }
    };
    walk(hierarchy?.roots ?? []);
    return all;
  }

  async function find(id: string): Promise<UiNode> {
    const node = (await screen()).find(({ resourceId }) => resourceId === `${FIXTURE_PACKAGE}:id/${id}`);
    if (!node) throw new Error(`no ${id} on the screen`);
    return node;
  }

  async function tap(id: string): Promise<void> {
    const [left, top, right, bottom] = (await find(id)).bounds;
    await tool.shell(`input tap ${(left + right) / 2} ${(top + bottom) / 2}`);
  }

  test('files: 20 MB, there and back', async () => {
    const [there, back] = [join(folder, 'there.bin'), join(folder, 'back.bin')];
    await writeFile(there, randomBytes(20 * 1024 * 1024));
    await tool.push(there, '/sdcard/big.bin');
    expect(await sh('stat -c %s /sdcard/big.bin')).toBe(`${20 * 1024 * 1024}\n`);
    await tool.pull('/sdcard/big.bin', back);
    expect(await sameContent(there, back)).toBe(true);
    await tool.shell('rm /sdcard/big.bin');
  });

  test('shell: exit codes and pipes', async () => {
    expect(await tool.shell('echo a; exit 3')).toMatchObject({ stdout: 'a\n', exitCode: 3 });
    expect(await sh('getprop | grep -c "^\\[ro.product"')).toMatch(/^\d+\n$/);
    expect((await tool.shell('nothing-here')).exitCode).toBe(127);
  });

  test('the app is installed and listed', async () => {
    expect(await tool.install(apk)).toContain('Success');
    expect(await sh(`pm list packages ${FIXTURE_PACKAGE}`)).toBe(`package:${FIXTURE_PACKAGE}\n`);
  });

  test('it starts in a process of its own', async () => {
    const started = parseStart(await sh(`am start -W -n ${MAIN}`));
    expect(started).toMatchObject({ ok: true, state: 'started', activity: MAIN, launchState: 'COLD' });
    pid = (await sh(`pidof ${FIXTURE_PACKAGE}`)).trim();
    expect(await sh(`ps -A -o USER,PID,NAME | grep fixture`)).toMatch(
      new RegExp(`^u0_a\\d+ +${pid} ${FIXTURE_PACKAGE}\\n$`),
    );
    // The process that Android tools see is a real one of this machine.
    expect(process.kill(Number(pid), 0)).toBe(true);
    const top = parseActivities(await sh('dumpsys activity activities')).top;
    expect(top).toMatchObject({ component: MAIN, pid: Number(pid) });
    expect(parseWindowFocus(await sh('dumpsys window displays'))).toMatchObject({
      kind: 'app',
      packageName: FIXTURE_PACKAGE,
    });
    // The first start on a machine makes the class-data archive and translates the app.
  }, 180_000);

  test('its log lines and those about it', async () => {
    const { entries } = parseLogcat(await sh('logcat -d -v threadtime'));
    expect(entries.find(({ message }) => message === 'main created')).toMatchObject({
      tag: 'Fixture',
      pid: Number(pid),
      level: 'I',
    });
    const started = entries.find(({ message }) =>
      message.startsWith(`Start proc ${pid}:${FIXTURE_PACKAGE}/`),
    );
    expect(started?.message).toContain(
      `for top-activity {${FIXTURE_PACKAGE}/${FIXTURE_PACKAGE}.MainActivity}`,
    );
    expect(await sh(`logcat -d --pid ${pid} -v raw Fixture:I '*:S'`)).toContain('main created\n');
  });

  test('a tap counts', async () => {
    expect((await find('title')).text).toBe('Count: 0');
    await tap('count');
    expect((await find('title')).text).toBe('Count: 1');
  });

  test('text goes into the focused field', async () => {
    await tap('input');
    await tool.shell(`input text 'Hi%sthere!'`);
    expect((await find('input')).text).toBe('Hi there!');
    const refused = await tool.shell(`input text 'Тест'`);
    expect(refused.stderr).toContain('java.lang.NullPointerException: Attempt to get length of null array');
  });

  test('a picture of the screen', async () => {
    const png = await tool.execOut('screencap -p');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1080, 2400]);
  });

  test('starting again delivers to the top; HOME, and it comes back to the front', async () => {
    expect(parseStart(await both(`am start -n ${MAIN}`))).toMatchObject({ state: 'deliveredToTop' });
    await tool.shell('input keyevent KEYCODE_HOME');
    expect(parseActivities(await sh('dumpsys activity activities')).top?.packageName).toBe(
      'dev.jugg.launcher',
    );
    expect(parseStart(await both(`am start -n ${MAIN}`))).toMatchObject({ state: 'broughtToFront' });
    expect((await find('title')).text).toBe('Count: 1');
    expect((await sh(`pidof ${FIXTURE_PACKAGE}`)).trim()).toBe(pid);
  });

  test('an activity inside of the app, and back', async () => {
    await tap('next');
    expect(parseActivities(await sh('dumpsys activity activities')).top?.component).toBe(
      `${FIXTURE_PACKAGE}/.SecondActivity`,
    );
    await tool.shell('input keyevent 4');
    expect(parseActivities(await sh('dumpsys activity activities')).top?.component).toBe(MAIN);
  });

  async function both(command: string): Promise<string> {
    const { stdout, stderr } = await tool.shell(command);
    return stdout + stderr;
  }

  test('starts that fail say so', async () => {
    expect(parseStart(await both(`am start -n ${FIXTURE_PACKAGE}/.Nothing`))).toMatchObject({
      reason: 'noSuchActivity',
    });
    expect(parseStart(await both(`am start -n ${FIXTURE_PACKAGE}/.SecondActivity`))).toMatchObject({
      reason: 'notExported',
    });
    expect(parseStart(await both('am start -a dev.jugg.NOBODY'))).toMatchObject({ reason: 'unresolved' });
  });

  test('the app as itself', async () => {
    expect(await sh(`run-as ${FIXTURE_PACKAGE} ls`)).toContain('shared_prefs\n');
    expect((await tool.shell(`ls /data/data/${FIXTURE_PACKAGE}`)).stderr).toContain('Permission denied');
  });

  test('another size of the screen', async () => {
    await tool.shell('wm size 800x1280; wm density 240');
    expect(await sh('wm size')).toBe('Physical size: 1080x2400\nOverride size: 800x1280\n');
    const png = await tool.execOut('screencap -p');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([800, 1280]);
    await tool.shell('wm size reset; wm density reset');
    expect((await find('title')).text).toBe('Count: 1');
  });

  test('a crash ends the process and is in the log', async () => {
    await tap('crash');
    await expect.poll(() => sh(`pidof ${FIXTURE_PACKAGE}`), { timeout: 20_000 }).toBe('');
    const { entries } = parseLogcat(await sh('logcat -d -b all'));
    const crash = findCrashes(entries).find((one) => one.process === FIXTURE_PACKAGE);
    expect(crash).toMatchObject({ pid: Number(pid), exception: 'java.lang.IllegalStateException' });
    expect(findDeaths(entries).find((death) => death.pid === Number(pid))).toBeDefined();
    expect(parseActivities(await sh('dumpsys activity activities')).top?.packageName).toBe(
      'dev.jugg.launcher',
    );
  });

  test('force-stop and uninstall end what runs', async () => {
    await tool.shell(`am start -W -n ${MAIN}`);
    const second = Number(await sh(`pidof ${FIXTURE_PACKAGE}`));
    expect(second).toBeGreaterThan(0);
    await tool.shell(`am force-stop ${FIXTURE_PACKAGE}`);
    expect(await sh(`pidof ${FIXTURE_PACKAGE}`)).toBe('');
    expect(() => process.kill(second, 0)).toThrow('ESRCH');
    expect(await sh(`pm uninstall ${FIXTURE_PACKAGE}`)).toBe('Success\n');
    expect(await sh(`pm list packages ${FIXTURE_PACKAGE}`)).toBe('');
    // No spare process is left: a new one has to start.
  }, 180_000);
}
