import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bundleDaemon, startDaemon, temporaryFolder } from '../support/daemon.ts';
import type { Daemon } from '../support/daemon.ts';
import { directClient, value } from '../support/direct.ts';
import { manifestApk } from '../support/manifest-apk.ts';
import { freePort } from '../support/real-adb.ts';

let folder: { path: string; remove(): Promise<void> };
let program: string;
const running: Daemon[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  program = await bundleDaemon(folder.path);
});

afterEach(async () => {
  for (const daemon of running.splice(0)) {
    daemon.process.kill('SIGKILL');
    await daemon.exit;
  }
});

afterAll(() => folder.remove());

/** No JVM is needed: `java` is a program that ends at once, and no app is started. */
async function start(changes: Record<string, unknown> = {}): Promise<Daemon> {
  const runtime = { java: 'false', classPath: ['none'], frameworkJar: 'none', nativeJar: 'none' };
  const daemon = await startDaemon(program, {
    name: 'd1',
    stateDir: folder.path,
    port: await freePort(),
    runtime: { ...runtime, cacheDir: join(folder.path, 'cache') },
    ...changes,
  });
  running.push(daemon);
  return daemon;
}

const stateFile = (): string => join(folder.path, 'd1.json');

test('it says where it listens, keeps a private state file, and takes it away when it is told to end', async () => {
  const began = performance.now();
  const daemon = await start();
  const said = await daemon.said;
  // "Visible within a second" is a target on a quiet machine; here only that nothing waits for a JVM.
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(said).toMatchObject({ event: 'listening', serial: `127.0.0.1:${String(said['port'])}`, name: 'd1' });
  const state = JSON.parse(await readFile(stateFile(), 'utf8'));
  expect(state).toMatchObject({
    pid: daemon.process.pid,
    port: said['port'],
    serial: said['serial'],
    name: 'd1',
  });
  if (process.platform !== 'win32') expect((await stat(stateFile())).mode & 0o777).toBe(0o600);
  expect(existsSync(state.socketDir)).toBe(true);
  const client = await directClient(Number(said['port']));
  expect((await client.sh('getprop ro.jugg.name')).stdout).toBe('d1\n');
  client.close();
  daemon.process.kill('SIGTERM');
  expect(await daemon.exit).toBe(0);
  expect(existsSync(stateFile())).toBe(false);
  expect(existsSync(state.socketDir)).toBe(false);
});

test('a second one of the same name is told off; the first lives on', async () => {
  const first = await start();
  const { port } = await first.said;
  const second = await start();
  expect(await second.said).toMatchObject({ event: 'error', code: 'ALREADY_RUNNING' });
  expect(await second.exit).toBe(3);
  const client = await directClient(Number(port));
  expect((await client.sh('echo alive')).stdout).toBe('alive\n');
  client.close();
});

test('what a killed daemon left is cleared away by the next one', async () => {
  const first = await start();
  await first.said;
  const { socketDir } = JSON.parse(await readFile(stateFile(), 'utf8'));
  first.process.kill('SIGKILL');
  await first.exit;
  expect(existsSync(stateFile())).toBe(true);
  const second = await start();
  expect(await second.said).toMatchObject({ event: 'listening' });
  expect(JSON.parse(await readFile(stateFile(), 'utf8')).pid).toBe(second.process.pid);
  expect(existsSync(socketDir)).toBe(false);
});

test('a restart has the port that it had, while that is free', async () => {
  const [one, two] = [await start({ name: 'p1', port: 0 }), await start({ name: 'p2', port: 0 })];
  const [first, second] = [(await one.said)['port'], (await two.said)['port']];
  for (const daemon of [one, two]) {
    daemon.process.kill('SIGKILL');
    await daemon.exit;
  }
  expect((await (await start({ name: 'p2', port: 0 })).said)['port']).toBe(second);
  const taken = await start({ name: 'p3', port: first });
  expect(await taken.said).toMatchObject({ event: 'listening' });
  expect((await (await start({ name: 'p1', port: 0 })).said)['port']).not.toBe(first);
});

test('killed at any time, the next start of any name recovers it, with its packages and files', async () => {
  const apk = await manifestApk();
  // From before it listens to long after; each one begins where the last one was killed.
  for (const ms of [40, 120, 200, 260, 320, 400, 700]) {
    const daemon = await start();
    await delay(ms);
    daemon.process.kill('SIGKILL');
    await daemon.exit;
  }
  const daemon = await start();
  const client = await directClient(Number((await daemon.said)['port']));
  value(await client.adb.install({ file: apk }, []));
  await client.sh('echo kept > /sdcard/kept');
  // In the middle of an install, several times.
  for (const ms of [0, 5, 15]) {
    const installing = client.adb.install({ file: apk }, []);
    await delay(ms);
    if (ms === 15) daemon.process.kill('SIGKILL');
    await installing;
  }
  await daemon.exit;
  const other = await start({ name: 'd2' });
  await other.said;
  // Another name has cleared away what was dead; what lives keeps its own.
  expect((await readdir(folder.path)).filter((name) => name.startsWith('jvd-'))).toHaveLength(1);
  const again = await start();
  const second = await directClient(Number((await again.said)['port']));
  expect((await second.sh('pm list packages dev.jugg.plain')).stdout).toBe('package:dev.jugg.plain\n');
  expect((await second.sh('cat /sdcard/kept')).stdout).toBe('kept\n');
  expect(await readdir(join(folder.path, 'd1', 'root', 'data', 'app'))).toHaveLength(1);
  second.close();
});

test('without an owner it ends', async () => {
  const owner = await start({ name: 'owner' });
  await owner.said;
  const owned = await start({ ownerPid: owner.process.pid });
  await owned.said;
  owner.process.kill('SIGKILL');
  expect(await owned.exit).toBe(0);
});

test('without work it ends', async () => {
  const daemon = await start({ idleExitMs: 100 });
  await daemon.said;
  expect(await daemon.exit).toBe(0);
});

test('a taken port, a bad spec', async () => {
  const first = await start();
  const { port } = await first.said;
  const second = await start({ name: 'd2', port });
  expect(await second.said).toMatchObject({ event: 'error', code: 'NO_PORT' });
  expect(await second.exit).toBe(4);
  const third = await start({ name: 'd3', density: -1 });
  expect(await third.exit).toBe(2);
});
