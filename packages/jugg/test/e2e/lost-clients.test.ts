import { spawn, type ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shippedFile } from '../../src/shared/paths.ts';
import { processExists } from '../../src/shared/process-exists.ts';
import { TestHome } from './home.ts';

/** Ways to lose a client (those over a bare socket are in mcp/lost-sockets.test.ts): nothing may be left behind. */

let home: TestHome;
beforeAll(async () => {
  home = await TestHome.make({ JUGG_ADB_SERVER: 'false' });
  await home.json(['version']);
});
afterAll(() => home.close());

const SESSION = [process.execPath, shippedFile('jugg.mjs'), 'mcp'];
const ping = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;

/** Processes of this test's home that are stdio sessions, by what Linux knows of them. */
async function sessions(): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [command, environment] = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    // Its client and a wrapper have the same words in their command lines, after others.
    if (command === `${SESSION.join('\0')}\0` && environment?.includes(`JUGG_HOME=${home.folder}`))
      found.push(Number(name));
  }
  return found;
}

async function until(condition: () => Promise<boolean> | boolean, seconds = 20): Promise<void> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await delay(50))
    if (await condition()) return;
  throw new Error(`it did not come to that within ${seconds} s`);
}

const noSessions = async (): Promise<boolean> => (await sessions()).length === 0;

/** A client that starts a session through `command` and passes its own pipes on, so that killing it closes nothing. */
function clientAround(command: readonly string[]): ChildProcess {
  const script = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' });
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['-e', script, ...command], {
    cwd: home.project,
    env: home.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

async function answered(client: ChildProcess, id: number): Promise<void> {
  const said = new Promise<string>((resolve) =>
    client.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  );
  client.stdin?.write(ping(id));
  expect(JSON.parse(await said)).toMatchObject({ id });
}

describe.runIf(process.platform === 'linux')('a stdio session ends', () => {
  test('when its client is killed, though others keep its pipes open', async () => {
    const client = clientAround(SESSION);
    await answered(client, 1);
    client.kill('SIGKILL');
    await until(noSessions);
  });

  test('with its client, not with the wrapper that the client started it by', async () => {
    // More than one command, so that the shell stays instead of becoming the session.
    const client = clientAround(['sh', '-c', `"$0" "$@"; true`, ...SESSION]);
    await answered(client, 1);
    const [session = 0] = await sessions();
    const stat = await readFile(`/proc/${session}/stat`, 'utf8');
    const wrapper = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    expect(wrapper).not.toBe(client.pid);
    process.kill(wrapper, 'SIGKILL');
    await until(() => !processExists(wrapper));
    // Longer than the session takes to look whether its client is there.
    await delay(1500);
    await answered(client, 2);
    client.kill('SIGKILL');
    await until(noSessions);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('on %s', async (signal) => {
    const child = home.spawn(['mcp'], home.project);
    await answered(child, 1);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    expect(await ended).toBe(0);
  });

  test('when nobody reads its answers any more', async () => {
    const child = home.spawn(['mcp'], home.project);
    await answered(child, 1);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdout?.destroy();
    child.stdin?.write(ping(2));
    expect(await ended).toBe(0);
  });
});

describe.runIf(process.platform === 'linux')('a client that is killed in the middle of a job', () => {
  const jobs = async (): Promise<readonly { kind: string; status: string }[]> => {
    const listed = await home.json(['list-jobs'], home.project);
    return Array.isArray(listed.data['jobs']) ? listed.data['jobs'] : [];
  };

  test.each([
    [
      'a stdio session',
      () => {
        const child = home.spawn(['mcp'], home.project);
        const params = { name: 'compile', arguments: {} };
        child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
        return child;
      },
    ],
    ['a command', () => home.spawn(['compile'], home.project)],
  ])('%s: the job ends by itself, and the next one runs', { timeout: 120_000 }, async (_name, start) => {
    const before = (await jobs()).length;
    const client = start();
    await until(async () => (await jobs()).length > before);
    client.kill('SIGKILL');
    // The first compile of a home is a cold one.
    await until(async () => !(await jobs()).some(({ status }) => /running|queued/.test(status)), 90);
    expect((await jobs())[0]).toMatchObject({ kind: 'compile', status: 'success' });
    expect(await home.json(['compile'], home.project)).toMatchObject({ status: 'OK' });
    await until(noSessions);
  });
});
