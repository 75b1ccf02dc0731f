import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIXTURE_PACKAGE } from '../app-process/fixture-apk.ts';
import { startAppDevice } from '../support/app-device.ts';
import { signedFixture } from '../support/signed-apk.ts';
import type { TestDevice } from '../support/test-device.ts';
import { ownTool } from '../support/tool.ts';
import type { Tool } from '../support/tool.ts';

const CYCLES = 10;
/** Set by `npm run test:deep -- device`: as many cycles as fit. */
const deepMinutes = Number(process.env['JUGG_DEEP_MINUTES'] ?? 0);
const MAIN = `${FIXTURE_PACKAGE}/.MainActivity`;

let vd: TestDevice;
let tool: Tool;
let apk: string;

beforeAll(async () => {
  [vd, apk] = await Promise.all([startAppDevice(), signedFixture()]);
  tool = await ownTool(vd.port);
});

afterAll(async () => {
  await tool.close();
  await vd.stop();
});

const sh = async (command: string): Promise<string> => (await tool.shell(command)).stdout;

/** Where the button is: the layout does not change. */
async function crashButton(): Promise<string> {
  await sh('uiautomator dump /sdcard/w.xml');
  const [, x, y] =
    /resource-id="[^"]*:id\/crash"[^>]*bounds="\[(\d+),(\d+)\]/.exec(
      await sh('cat /sdcard/w.xml; rm /sdcard/w.xml'),
    ) ?? [];
  if (x === undefined || y === undefined) throw new Error('no crash button on the screen');
  return `${Number(x) + 5} ${Number(y) + 5}`;
}

async function start(): Promise<number> {
  expect(await sh(`am start -W -n ${MAIN}`)).toContain('Status: ok');
  return Number(await sh(`pidof ${FIXTURE_PACKAGE}`));
}

/** Looked at in each cycle: in an hour the ids of processes are used again. */
async function hasEnded(pid: number): Promise<void> {
  const isThere = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isThere, { timeout: 30_000 }).toBe(false);
}

async function cycle(): Promise<void> {
  expect(await tool.install(apk)).toContain('Success');
  const first = await start();
  await sh(`input tap ${await crashButton()}`);
  await expect.poll(() => sh(`pidof ${FIXTURE_PACKAGE}`), { timeout: 100_000 }).toBe('');
  await hasEnded(first);
  const second = await start();
  expect(second).not.toBe(first);
  expect(await sh(`pm uninstall ${FIXTURE_PACKAGE}`)).toBe('Success\n');
  await hasEnded(second);
}

/** What a cycle may leave behind, but for spare processes. */
async function leftovers(): Promise<Record<string, readonly string[]>> {
  return {
    apps: (await sh('ls /data/app')).split('\n').filter(Boolean),
    data: (await sh('ls /sdcard/Android/data')).split('\n').filter((name) => name.includes('fixture')),
    sockets: await readdir(vd.sockets()),
  };
}

/** Resident memory of this process, which the device is a part of, in MB. */
async function residentMb(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

test(
  'cycles of install, start, crash, start and uninstall leave nothing behind',
  async () => {
    // What is made once is made in the first.
    await cycle();
    const before = await leftovers();
    const handles = process.getActiveResourcesInfo().length;
    const firstMb = await residentMb();
    const end = performance.now() + deepMinutes * 60_000;
    let done = 1;
    for (; deepMinutes > 0 ? performance.now() < end : done < CYCLES; done += 1) await cycle();

    expect(await leftovers()).toEqual(before);
    expect(await sh('pm list packages -3')).toBe('');
    // Spares come and go; nothing is added with each cycle.
    expect(process.getActiveResourcesInfo().length - handles).toBeLessThan(CYCLES);
    console.info(
      `${done} cycles; resident ${firstMb} MB after the first, ${await residentMb()} MB after the last`,
    );
  },
  // Two JVMs a cycle, one after the other.
  600_000 + deepMinutes * 60_000,
);
