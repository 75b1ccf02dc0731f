import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineAction, type Action } from '../../src/actions/action.ts';
import { callAction } from '../../src/actions/call.ts';
import { withDevice } from '../../src/actions/gates/device.ts';
import { withProject } from '../../src/actions/gates/project.ts';
import { outputJsonSchema } from '../../src/mcp/tools.ts';
import { allContracts } from '../../src/actions/registry.ts';
import { createRuntime } from '../../src/runtime/create.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { settingsSchema } from '../../src/runtime/settings.ts';
import { silentLog } from '../../src/shared/log.ts';
import { fail, ok } from '../../src/shared/outcome.ts';
import { juggDirs } from '../../src/shared/paths.ts';
import { rpc } from '../../src/runtime/rpc.ts';
import { isEnvelope, type CliEnvelope } from '../../src/cli/envelope.ts';
import { TestHome } from '../e2e/home.ts';

let home: TestHome;
let runtime: Runtime;
const order: string[] = [];

beforeAll(async () => {
  home = await TestHome.make({ JUGG_ADB_SERVER: 'false' });
  await home.startDevice('agents');
});
afterAll(() => home.close());
beforeEach(() => {
  runtime = createRuntime({
    info: { kind: 'server', version: '0', pid: process.pid, port: 1, startedAt: '' },
    dirs: juggDirs(home.env),
    settings: settingsSchema.parse({ adbServer: false }),
    log: silentLog,
  });
  order.length = 0;
});
afterEach(() => runtime.close());

/** A tool with the real gates around something that takes `ms`, and fails where the test says so. */
function tool(name: string, ms = 0, fails = false): Action {
  const input = z.strictObject({ projectDir: z.string(), serial: z.string().optional() });
  const made = defineAction({
    name,
    title: '',
    description: '',
    input,
    output: z.object({}),
    run: withProject(
      withDevice<z.output<typeof input>>(async (_input, { client }) => {
        order.push(`${client} ${name} begins`);
        // Real time: whoever did not wait for its turn would overtake.
        await new Promise((resolve) => setTimeout(resolve, ms));
        order.push(`${client} ${name} ends`);
        return fails ? fail('UI_NOT_IDLE', 'failed') : ok({ message: 'done', data: {} });
      }),
    ),
  });
  return made;
}

async function call(client: string, action: Action): Promise<Readonly<Record<string, unknown>>> {
  const caller = { client, trusted: true, signal: new AbortController().signal };
  return (await callAction(runtime, action, { projectDir: home.project }, caller)).envelope.data;
}

describe('two agents on one device', () => {
  test('each hears once what the other did to it since its own last call', async () => {
    expect(await call('a', tool('layout-dump'))).toEqual({});
    expect(await call('b', tool('tap'))).toEqual({});
    const told = { deviceChangedBy: { client: 'b', tool: 'tap', at: expect.stringMatching(/^\d{4}-.*Z$/) } };
    expect(await call('a', tool('layout-dump'))).toEqual(told);
    expect(await call('a', tool('layout-dump'))).toEqual({});
    expect(await call('b', tool('layout-dump'))).toEqual({});
  });

  test('also with an answer that is an error; a tap that failed has changed nothing', async () => {
    await call('a', tool('layout-dump'));
    await call('b', tool('tap', 0, true));
    expect(await call('a', tool('layout-dump'))).toEqual({});
    await call('b', tool('tap'));
    expect(await call('a', tool('tap', 0, true))).toMatchObject({ deviceChangedBy: { client: 'b' } });
  });

  test('their input is in order, and who only looks waits for nobody', async () => {
    const first = call('a', tool('tap', 60));
    const second = call('b', tool('input', 1));
    const look = call('c', tool('view-locate', 1));
    await Promise.all([first, second, look]);
    const input = order.filter((line) => !line.startsWith('c'));
    const [one = '', two = ''] = input[0]?.startsWith('a') ? ['a tap', 'b input'] : ['b input', 'a tap'];
    expect(input).toEqual([`${one} begins`, `${one} ends`, `${two} begins`, `${two} ends`]);
    expect(order.indexOf('c view-locate ends')).toBeLessThan(order.indexOf('a tap ends'));
  });

  test('every tool that works on a device says so in its schema', () => {
    const telling = allContracts()
      .filter((contract) => 'deviceChangedBy' in Object(outputJsonSchema(contract)['properties']))
      .map((contract) => contract.name);
    for (const name of [
      'deploy',
      'restart',
      'tap',
      'layout-dump',
      'view-locate',
      'wait-logs',
      'screenshot',
      'input',
    ])
      expect(telling).toContain(name);
    for (const name of ['version', 'list-jobs', 'status', 'list-projects'])
      expect(telling).not.toContain(name);
  });
});

test.runIf(process.platform === 'linux')('I-11 terminate signal while a log stream runs', async () => {
  const child = home.spawn(['serve']);
  await new Promise((resolve) => child.stderr?.once('data', resolve));
  const target = { port: await home.port(), token: await home.token() };
  const args = { projectDir: home.project, package: 'dev.jugg.none', marker: 'never', timeoutMs: 40_000 };
  const waiting = rpc(target, 'tools/call', { name: 'wait-logs', arguments: args }).then(
    (reply) => JSON.stringify(reply),
    (error: unknown) => String(error),
  );
  // The stream is open once the call has been under way for a moment; nothing tells when.
  const state = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 1000, 'waiting'))]);
  expect(state).toBe('waiting');
  const children = await childrenOf(child.pid ?? 0);
  const began = performance.now();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(performance.now() - began).toBeLessThan(5000);
  await waiting;
  const left = await Promise.all(
    children.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')),
  );
  expect(left.filter((name) => name !== '')).toEqual([]);
});

test('two servers exclude each other on one project; the end of one by force frees it', async () => {
  const servers = [await startServer(), await startServer()] as const;
  const [a, b] = servers;
  const compile = (server: Started) => server.call('compile', {});
  const first = await compile(a);
  expect(first).toMatchObject({ status: 'OK', data: { isFinal: false } });
  expect(await compile(b)).toMatchObject({
    errorCode: 'PROJECT_BUSY',
    data: { holder: { pid: a.pid }, until: expect.stringMatching(/Z$/) },
  });
  const { jobId } = first.data;
  expect(await b.call('get-compile-status', { jobId })).toMatchObject({
    status: 'OK',
    data: { isFinal: false },
  });
  await a.end('SIGKILL');
  expect(await b.call('get-compile-status', { jobId })).toMatchObject({ errorCode: 'SERVER_STOPPED' });
  const second = await compile(b);
  expect(second).toMatchObject({ status: 'OK', data: { isFinal: false } });
  const canceled = await b.call('cancel-job', { jobId: second.data['jobId'] });
  expect(canceled).toMatchObject({ status: 'OK', data: { isFinal: true } });
  await b.end('SIGTERM');
});

test('a start that was killed in the middle keeps nobody from starting', async () => {
  const lock = join(juggDirs(home.env).state, 'server-start.lock');
  // The port of a process that is gone; what may hold it now does not know the word.
  await writeFile(`${lock}.77`, JSON.stringify({ port: 1, word: 'of a dead process' }));
  expect(await home.json(['version'])).toMatchObject({ status: 'OK' });
  // Neither does one that cannot be read.
  await home.run(['stop']);
  await writeFile(`${lock}.99`, '{');
  expect(await home.json(['version'])).toMatchObject({ status: 'OK' });
  await home.run(['stop']);
});

interface Started {
  readonly pid: number;
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<CliEnvelope>;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<unknown>;
}

/** A server that never waits for its jobs. */
async function startServer(): Promise<Started> {
  home.env['JUGG_SOFT_TIMEOUT_MS'] = '0';
  const child = home.spawn(['serve']);
  const port = await new Promise<number>((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk;
      const found = /:(\d+)\/jugg-mcp/.exec(said)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const target = { port, token: await home.token() };
  return {
    pid: child.pid ?? 0,
    call: async (name, args) => {
      const params = { name, arguments: { projectDir: home.project, ...args } };
      const envelope = (await rpc(target, 'tools/call', params)).result?.['structuredContent'];
      if (!isEnvelope(envelope)) throw new Error(`${name} answered no envelope`);
      return envelope;
    },
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

async function childrenOf(pid: number): Promise<readonly string[]> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  );
  return lists.flatMap((list) => list.split(' ')).filter(Boolean);
}
