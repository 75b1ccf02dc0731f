import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bundleDaemon, startDaemon, temporaryFolder } from '../support/daemon.ts';
import type { Daemon } from '../support/daemon.ts';
import { directClient } from '../support/direct.ts';
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
