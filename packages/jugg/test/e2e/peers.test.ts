import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { juggDirs } from '../../src/shared/paths.ts';
import { TestHome } from './home.ts';

/**
 * Released programs of others, unchanged, as clients of the virtual device behind the real adb server. Only by
 * `npm run test:peers`: they are fetched from the registry, some 150 MB.
 */
const asked = process.env['MODE'] === 'peers';
const PEERS = { '@mobilenext/mobile-mcp': '1.0.4', 'agent-device': '0.21.5' };
const SAMPLE = 'dev.jugg.sample.counter';

describe.skipIf(!asked)(`peers${asked ? '' : ' (skipped: npm run test:peers)'}`, { timeout: 300_000 }, () => {
  let home: TestHome;
  let serial: string;
  let folder: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await fetched();
    home = await TestHome.make();
    const port = String(20_000 + (process.pid % 20_000));
    env = {
      ...asStrings(home.env),
      ANDROID_ADB_SERVER_PORT: port,
      HOME: home.folder,
      MOBILEMCP_DISABLE_TELEMETRY: '1',
    };
    for (const name of ['ANDROID_HOME', 'ANDROID_SDK_ROOT']) delete env[name];
    serial = await home.startDevice('peers', ['--trust']);
    await home.json(['init'], home.project);
    const deployed = await home.json(
      ['deploy', '--serial', serial, '--wait-app-ready-after-success'],
      home.project,
    );
    if (deployed.status !== 'OK') throw new Error(deployed.message);
    await run('adb', ['connect', serial], env);
  }, 600_000);
  afterAll(async () => {
    await run('adb', ['kill-server'], env);
    await home.close();
  });

  describe.each([
    { mode: 'through adb', more: { MOBILEMCP_LEGACY_ROBOT: '1' } },
    { mode: 'through its own program', more: {} },
  ])('mobile-mcp, $mode', ({ mode, more }) => {
    let client: Client;
    beforeAll(async () => {
      client = new Client({ name: 'peers', version: '0' });
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [join(folder, 'node_modules/@mobilenext/mobile-mcp/lib/index.js')],
          env: { ...env, ...more },
          stderr: 'ignore',
        }),
      );
    });
    afterAll(async () => {
      await client.close();
      // Its own program leaves a daemon behind, which nobody else would end.
      const name = `mobilecli-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
      await run(join(folder, 'node_modules/@mobilenext', name, name), ['daemon', 'stop'], env);
    });

    const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
      const result = await client.callTool({ name, arguments: { device: serial, ...args } });
      const [first] = result.content;
      const text = first?.type === 'text' ? first.text : (first?.type ?? '');
      if (result.isError === true) throw new Error(text);
      return text;
    };
    const elements = (): Promise<string> => call('mobile_list_elements_on_screen');

    test('lists the device and its apps, launches the sample', async () => {
      expect(await call('mobile_list_available_devices')).toContain(serial);
      // Its own program asks a server for that which it starts with app_process: code for a phone.
      if (mode === 'through adb') expect(await call('mobile_list_apps')).toContain(SAMPLE);
      else await expect(call('mobile_list_apps')).rejects.toThrow('device server did not start');
      await call('mobile_terminate_app', { packageName: SAMPLE });
      expect(await call('mobile_launch_app', { packageName: SAMPLE })).toContain('Launched');
      expect(await call('mobile_get_screen_size')).toContain('1080x2400');
    });

    test('lists elements, taps the button, types, goes back', async () => {
      const found = new RegExp(`id="${SAMPLE}:id/add" at=(\\d+),(\\d+) size=(\\d+)x(\\d+)`).exec(
        await elements(),
      );
      const [x = 0, y = 0, width = 0, height = 0] = (found ?? []).slice(1).map(Number);
      expect(width).toBeGreaterThan(0);
      await call('mobile_click_on_screen_at_coordinates', { x: x + width / 2, y: y + height / 2 });
      expect(await elements()).toContain('text="Count: 1"');
      await call('mobile_type_keys', { text: 'hello', submit: false });
      await call('mobile_swipe_on_screen', { direction: 'up' });
      await call('mobile_press_button', { button: 'HOME' });
    });

    test('takes a screenshot, turns the screen', async () => {
      // Its own program makes it smaller, and says so.
      expect(await call('mobile_take_screenshot')).toContain('1080x2400');
      const saveTo = join(home.folder, 'peer.png');
      await call('mobile_save_screenshot', { saveTo });
      expect((await readFile(saveTo)).subarray(1, 4).toString()).toBe('PNG');
      await call('mobile_set_orientation', { orientation: 'landscape' });
      expect(await call('mobile_get_orientation')).toContain('landscape');
      await call('mobile_set_orientation', { orientation: 'portrait' });
    });
  });

  describe('agent-device', () => {
    const agent = (...args: string[]): Promise<string> =>
      run(process.execPath, [join(folder, 'node_modules/agent-device/bin/agent-device.mjs'), ...args], env);

    // Its background process would outlive the test.
    afterAll(() => agent('daemon', 'stop'));

    test('lists the device and its apps, opens the sample, sees what is in front', async () => {
      expect(await agent('devices', '--json')).toContain(serial);
      expect(await agent('apps', '--platform', 'android')).toContain(SAMPLE);
      expect(await agent('open', SAMPLE, '--platform', 'android')).toContain(`Opened: ${SAMPLE}`);
      expect(await agent('appstate')).toContain(`Foreground app: ${SAMPLE}`);
    });

    // Through an instrumentation of its own, which asks for the nodes of accessibility.
    test('sees elements, presses one by its text, reads another', async () => {
      expect(await agent('snapshot', '-i')).toMatch(/@e\d+ \[button\] "Add"/);
      expect(await agent('find', 'Add', 'press')).toContain('Tapped @e');
      expect(await agent('snapshot')).toMatch(/\[text\] "Count: [1-9]\d*"/);
    });

    test('presses, types, takes a screenshot, closes', async () => {
      expect(await agent('press', '540', '1200')).toContain('Tapped');
      expect(await agent('type', 'hello')).toContain('Typed 5 chars');
      const picture = join(home.folder, 'agent.png');
      await agent('screenshot', picture);
      expect((await stat(picture)).size).toBeGreaterThan(1000);
      await agent('close');
    });
  });
});

/** The peers, unpacked beside other things that are slow to get. */
async function fetched(): Promise<string> {
  const folder = join(juggDirs().cache, 'peers');
  await mkdir(folder, { recursive: true });
  const manifest = JSON.stringify({ private: true, dependencies: PEERS });
  const old = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '');
  if (old === manifest) return folder;
  await writeFile(join(folder, 'package.json'), manifest);
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
    asStrings(process.env),
    folder,
  );
  return folder;
}

function asStrings(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function run(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { env, ...(cwd === undefined ? {} : { cwd }), timeout: 240_000 },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}
