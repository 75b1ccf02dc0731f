import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matchesGolden } from './golden.ts';
import { TestHome } from './home.ts';
import { mainJob } from './story.ts';

let devices: TestHome;
let home: TestHome;
let serial: string;
let adbPort: number;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Debian's adb, on a port of its own: never the user's server. Answers what it printed, or `null` when there is no adb. */
function adb(...args: string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('adb', args, {
      env: { ...process.env, ANDROID_ADB_SERVER_PORT: String(adbPort) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.on('error', () => resolve(null));
    // Not `close`: the server that adb starts inherits the pipe.
    child.on('exit', () => resolve(out));
  });
}

let hasAdb = false;
beforeAll(async () => {
  adbPort = await freePort();
  hasAdb = (await adb('version')) !== null;
  // The device belongs to another Jugg: this one knows it only through the adb server.
  devices = await TestHome.make();
  home = await TestHome.make({ ANDROID_ADB_SERVER_PORT: String(adbPort) });
  serial = await devices.startDevice('behind-adb', ['--trust']);
});
afterAll(async () => {
  await home.close();
  if (hasAdb) await adb('kill-server');
  await devices.close();
});

function options(args: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(args).flatMap(([key, value]): string[] => {
    const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (typeof value === 'object' && value !== null) {
      return options(
        Object.fromEntries(
          Object.entries(value).map(([inner, text]) => [
            `${key}${inner[0]?.toUpperCase()}${inner.slice(1)}`,
            text,
          ]),
        ),
      );
    }
    return value === true ? [flag] : [flag, String(value)];
  });
}

test(
  'the main job through the command line, behind the real adb server',
  { timeout: 240_000 },
  async ({ skip }) => {
    if (!hasAdb) skip('there is no adb on this machine; npm test installs it on Debian as root');
    expect(await adb('connect', serial)).toContain('connected to');
    const told = await mainJob(
      async (tool, args) => {
        const { exitCode, ...envelope } = await home.json([tool, ...options(args)], home.project);
        expect(exitCode === 0, `${tool} exits with 0 only when it is OK`).toBe(envelope.status === 'OK');
        return envelope;
      },
      home.project,
      serial,
    );
    await matchesGolden(told, home, serial);
  },
);
