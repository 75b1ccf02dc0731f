import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIRST_PORT, LAST_PORT } from '../../src/mcp/ports.ts';
import { readRecords, writeRecord } from '../../src/runtime/discovery.ts';
import { VERSION } from '../../src/shared/version.ts';
import { TestHome } from './home.ts';

let home: TestHome;
beforeAll(async () => {
  home = await TestHome.make({ JUGG_ADB_SERVER: 'false' });
});
afterAll(() => home.close());

describe('the command line', () => {
  test('starts one server for two commands that come at once, and finds it again', async () => {
    const [a, b] = await Promise.all([home.json(['version']), home.json(['version'])]);
    expect(a.data['runtime']).toEqual(b.data['runtime']);
    expect((await home.json(['version'])).data['runtime']).toEqual(a.data['runtime']);
  });

  test('an idle server that is older than the program makes room for a new one', async () => {
    const old = (await home.json(['version'])).data['runtime'];
    const [record] = await readRecords(home.state);
    if (!record) throw new Error('no server');
    // What its discovery file says is all that tells its age before it is asked to stop.
    await writeRecord(home.state, { ...record, version: '0.0.9' });
    const after = (await home.json(['version'])).data['runtime'];
    expect(after).not.toEqual(old);
    expect(await readRecords(home.state)).toMatchObject([{ version: VERSION }]);
  });

  test('says what it takes', async () => {
    const help = await home.run(['help', 'tap']);
    expect(help.exitCode).toBe(0);
    expect(help.stdout).toContain('--target-resource-id');
    expect((await home.run(['--version'])).stdout.trim()).toBe('0.1.0');
  });

  test.each([
    ['no such command', ['fly'], 2, /unknown command/],
    ['no such option', ['status', '--colour'], 2, /unknown option/],
    ['a number that is none', ['tap', '--x', 'left', '--y', '1'], 2, /--x: got "left"/],
    ['an argument that does not fit', ['list-jobs', '--limit', '0'], 2, /limit: got 0, expected at least 1/],
    ['a choice that is none', ['layout-dump', '--format', 'pdf'], 2, /Allowed choices are html, json, text/],
    ['an unknown job', ['get-compile-status', '--job-id', 'nope'], 2, /JOB_NOT_FOUND/],
    ['no device', ['restart'], 4, /NO_DEVICE/],
    ['a size that is none', ['vd', 'start', '--size', 'big'], 2, /--size/],
    ['a device that does not run', ['vd', 'stop', 'nobody'], 4, /NO_DEVICE/],
  ])('answers %s with its exit code', async (_name, args, exitCode, message) => {
    const done = await home.run(args, home.project);
    expect(done.stdout + done.stderr).toMatch(message);
    expect(done.exitCode).toBe(exitCode);
  });

  test('prints nothing but the envelope with --json, also for bad usage', async () => {
    const done = await home.run(['status', '--colour', '--json'], home.project);
    expect(JSON.parse(done.stdout)).toMatchObject({ status: 'ERROR', errorCode: 'INVALID_PARAMS' });
    expect(done.exitCode).toBe(2);
  });

  test('knows a folder that is no Android project', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jugg-none-'));
    expect(await home.json(['status'], folder)).toMatchObject({
      errorCode: 'INVALID_PARAMS',
      message: expect.stringContaining('settings.gradle'),
    });
    expect(await home.json(['init'], folder)).toMatchObject({ errorCode: 'INVALID_PARAMS' });
    await writeFile(join(folder, 'settings.gradle'), "include ':lib'\n");
    await mkdir(join(folder, 'lib'));
    await writeFile(join(folder, 'lib', 'build.gradle'), "apply plugin: 'java-library'\n");
    const compiled = await home.json(['compile'], folder);
    expect(compiled.status).toBe('ERROR');
    expect(compiled.errorCode).not.toBe('INTERNAL_ERROR');
    expect(compiled.message).toMatch(/app/i);
    await rm(folder, { recursive: true });
  });

  test('a command that fails for want of a project has not said yes to that folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jugg-none-'));
    expect(await home.json(['status', '--project-dir', folder])).toMatchObject({
      errorCode: 'INVALID_PARAMS',
    });
    const listed = await home.json(['list-projects']);
    expect(JSON.stringify(listed.data['projects'])).not.toContain(folder);
    await rm(folder, { recursive: true });
  });

  test('the jobs of a project are told also when its folder is gone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jugg-gone-'));
    await writeFile(join(folder, 'settings.gradle'), "rootProject.name = 'gone'\n");
    await home.json(['status', '--project-dir', folder]);
    await rm(folder, { recursive: true });
    expect(await home.json(['list-jobs', '--project-dir', folder])).toMatchObject({
      status: 'OK',
      data: { jobs: [] },
    });
    expect(await home.json(['cancel-job', '--project-dir', folder])).toMatchObject({
      errorCode: 'JOB_NOT_FOUND',
    });
    expect(await home.json(['status', '--project-dir', folder])).toMatchObject({
      errorCode: 'INVALID_PARAMS',
      message: expect.stringContaining('there is no folder'),
    });
  });

  test('names what is missing when there is no JDK', async () => {
    const bare = await TestHome.make({
      PATH: '/nonexistent',
      JAVA_HOME: '/nonexistent',
      JUGG_JAVA_HOME: '/nonexistent',
      JUGG_ADB_SERVER: 'false',
    });
    const compiled = await bare.json(['compile'], bare.project);
    // A machine may have a JDK in one of the usual places all the same; then the build must simply work.
    if (compiled.status === 'ERROR')
      expect(compiled).toMatchObject({
        errorCode: 'JDK_UNSUITABLE',
        message: expect.stringContaining('JDK'),
      });
    await bare.close();
  });

  test('a program without the token cannot make a folder of its choosing be built', async () => {
    const response = await fetch(`http://127.0.0.1:${await home.port()}/jugg-mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'compile', arguments: { projectDir: tmpdir() } },
      }),
    });
    expect(await response.json()).toMatchObject({
      result: { isError: true, structuredContent: { errorCode: 'PROJECT_NOT_INITIALIZED' } },
    });
  });
});

describe('a second server', () => {
  test('takes the next free port, and PORT_RANGE_FULL names who holds them all', async () => {
    const taken: Server[] = [];
    for (let port = FIRST_PORT; port <= LAST_PORT; port += 1) {
      const server = createServer();
      await new Promise<void>((resolve) => {
        server.once('error', () => resolve());
        server.listen({ port, host: '127.0.0.1' }, () => {
          taken.push(server);
          resolve();
        });
      });
    }
    const other = await TestHome.make({ JUGG_ADB_SERVER: 'false' });
    const refused = await other.json(['version']);
    expect(refused).toMatchObject({ errorCode: 'PORT_RANGE_FULL', exitCode: 1 });
    if (process.platform === 'linux') expect(refused.message).toMatch(/Held by .*1232\d: .*pid \d+/);
    for (const server of taken) server.close();
    const [last] = taken.slice(-1);
    if (last) await new Promise((resolve) => setImmediate(resolve));
    const child = other.spawn(['serve']);
    const said = await new Promise<string>((resolve) =>
      child.stderr?.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    expect(said).toMatch(/http:\/\/127\.0\.0\.1:1232\d\/jugg-mcp/);
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    await other.close();
  });
});
