import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bindFirstFree, listenWith, type Listen } from '../../src/mcp/ports.ts';
import { readRecords, writeRecord } from '../../src/runtime/discovery.ts';
import { nearestFirst } from '../../src/runtime/nearest-server.ts';
import { portHolders } from '../../src/runtime/port-owners.ts';
import { scanServers } from '../../src/runtime/scan.ts';
import { findServer } from '../../src/runtime/server-client.ts';
import { runChild } from '../../src/toolchain/child.ts';
import { bundleForTest } from '../bundle.ts';

const page = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  tools: z.record(z.string(), z.unknown()).optional(),
});
const caseShape = z.object({
  id: z.string(),
  title: z.string(),
  input: z.object({
    range: z.tuple([z.number(), z.number()]).optional(),
    bind: z.record(z.string(), z.record(z.string(), z.string())).optional(),
    owners: z.record(z.string(), z.string()).optional(),
    starts: z.array(z.object({ atMs: z.number(), endsAtMs: z.number().optional() })).optional(),
    ports: z.record(z.string(), z.union([z.enum(['refused', 'hang', 'close']), page])).optional(),
    cwd: z.string().optional(),
    child: z.object({ stdoutBytes: z.number(), exitCode: z.number() }).optional(),
    lock: z.object({ file: z.string() }).optional(),
  }),
  expect: z.looseObject({
    boundPort: z.number().nullable().optional(),
    addresses: z.array(z.string()).optional(),
    error: z.string().nullable().optional(),
    owners: z.record(z.string(), z.string()).optional(),
    boundPorts: z.array(z.number()).optional(),
    servers: z.array(z.object({ port: z.number(), projects: z.array(z.string()) })).optional(),
    chosenPort: z.number().optional(),
    maxTotalMs: z.number().optional(),
    exitCode: z.number().optional(),
    exitWithinMs: z.number().optional(),
    stderrWritesMax: z.number().optional(),
    cpuMsMax: z.number().optional(),
    childExitCode: z.number().optional(),
    keptCharsMax: z.number().optional(),
    lockState: z.string().optional(),
    startServer: z.boolean().optional(),
  }),
});
type Case = z.output<typeof caseShape>;
type Page = z.output<typeof page>;

const file = new URL('../../../../test/field-cases/ports-processes.json', import.meta.url);
const { cases } = z.object({ cases: z.array(caseShape) }).parse(JSON.parse(await readFile(file, 'utf8')));

function theCase(id: string): Case {
  const found = cases.find((one) => one.id === id);
  if (!found) throw new Error(`there is no case ${id}`);
  return found;
}

function withInput(has: (input: Case['input']) => unknown): (readonly [string, Case])[] {
  return cases.filter((one) => has(one.input)).map((one) => [`${one.id} ${one.title}`, one] as const);
}

/**
 * The cases' ports, moved to where no server of this machine's user is, nor the system's own choice (from 32,768); test
 * runs at the same time have ranges of their own.
 */
const SHIFT = 10_000 + (process.pid % 800) * 10;
const FIRST = 12_320 + SHIFT;
const LAST = 12_329 + SHIFT;
const RANGE = { first: FIRST, last: LAST };

const open: (Server | HttpServer)[] = [];
let folder: string;
let childScript: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jugg-ports-'));
  childScript = join(folder, 'lifecycle-child.mjs');
  await bundleForTest(join(import.meta.dirname, 'lifecycle-child.ts'), folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(async () => {
  await Promise.all(
    open.splice(0).map((server) => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
});

function hold(server: Server | HttpServer, port: number, host: string): Promise<void> {
  open.push(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive: true, ipv6Only: host === '::1' }, resolve);
  });
}

/** What a program on a port may do to one who asks. */
function program(kind: 'hang' | 'close' | Page): Server | HttpServer {
  if (kind === 'hang') return createServer((socket) => socket.on('error', () => {}).resume());
  if (kind === 'close') return createServer((socket) => socket.destroy());
  return createHttpServer((request, response) => {
    let asked = '';
    request.on('data', (chunk: Buffer) => (asked += chunk.toString()));
    request.on('end', () => {
      const { id, method, params } = asked === '' ? { id: 0, method: '', params: {} } : JSON.parse(asked);
      const data = method === 'tools/call' ? kind.tools?.[params.name] : undefined;
      const body =
        data === undefined
          ? kind.body
          : JSON.stringify({ jsonrpc: '2.0', id, result: { structuredContent: { status: 'OK', data } } });
      response.writeHead(kind.status, kind.headers).end(body);
    });
  });
}

const JUGG: Page = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 0, result: { serverInfo: { name: 'jugg', version: '0' } } }),
};

/** Real listening; only an address family that this machine has and the case's has not is said to be missing. */
function listenLike({ input }: Case, servers: Set<HttpServer>): Listen {
  const real = listenWith(() => createHttpServer(), servers);
  return async (port, address) => {
    const says = input.bind?.[String(port - SHIFT)]?.[address];
    return says === 'EADDRNOTAVAIL' ? says : real(port, address);
  };
}

describe('field cases of ports', () => {
  test.each(withInput((input) => input.bind))('%s', async (_name, one) => {
    for (const [port, addresses] of Object.entries(one.input.bind ?? {})) {
      const kind = one.input.owners?.[port] === 'jugg' ? JUGG : 'close';
      for (const [address, says] of Object.entries(addresses))
        if (says === 'EADDRINUSE') await hold(program(kind), Number(port) + SHIFT, address);
    }
    const servers = new Set<HttpServer>();
    const bound = await bindFirstFree(listenLike(one, servers), RANGE);
    open.push(...servers);
    if (one.expect.error) {
      expect(bound).toMatchObject({ ok: false, fault: { code: one.expect.error } });
      const holders = await portHolders(FIRST, LAST);
      for (const [port, owner] of Object.entries(one.expect.owners ?? {}))
        if (process.platform === 'linux' || owner === 'jugg')
          expect(holders[Number(port) + SHIFT]).toMatch(new RegExp(`^${owner}`));
    } else {
      expect(bound).toMatchObject({
        ok: true,
        value: { port: (one.expect.boundPort ?? 0) + SHIFT, addresses: one.expect.addresses },
      });
    }
  });

  test.each(withInput((input) => input.starts))('%s', async (_name, one) => {
    const ports: number[] = [];
    // In the order of the case; what it says of seconds between them does not matter to the ports.
    const times = new Set(one.input.starts?.map((start) => start.atMs));
    for (const atMs of times) {
      const together = one.input.starts?.filter((start) => start.atMs === atMs) ?? [];
      await Promise.all(
        together.map(async () => {
          const servers = new Set<HttpServer>();
          const bound = await bindFirstFree(
            listenWith(() => createHttpServer((_request, response) => response.end()), servers),
            RANGE,
          );
          open.push(...servers);
          if (bound.ok) ports.push(bound.value.port - SHIFT);
        }),
      );
    }
    expect(ports.toSorted((a, b) => a - b)).toEqual(one.expect.boundPorts);
    if (one.input.starts?.[0]?.endsAtMs !== undefined) {
      for (const server of open.splice(0, 2)) await new Promise((resolve) => server.close(resolve));
      expect((await fetch(`http://127.0.0.1:${(ports[1] ?? 0) + SHIFT}/`)).status).toBe(200);
    }
  });

  test.each(withInput((input) => input.ports))('%s', async (_name, one) => {
    for (const [port, kind] of Object.entries(one.input.ports ?? {}))
      if (kind !== 'refused') await hold(program(kind), Number(port) + SHIFT, '127.0.0.1');
    const began = performance.now();
    const found = (await scanServers(FIRST, LAST)).map(({ port, projects }) => ({
      port: port - SHIFT,
      projects,
    }));
    expect(performance.now() - began).toBeLessThan(one.expect.maxTotalMs ?? 3000);
    expect(found).toEqual(one.expect.servers);
    expect(nearestFirst(found, one.input.cwd ?? '')[0]?.port).toBe(one.expect.chosenPort);
  });

  test('I-13 lock file of a dead server, pid used again', async () => {
    const { input, expect: wanted } = theCase('I-13');
    const lock = z.object({ projectDir: z.string() }).parse(JSON.parse(input.lock?.file ?? ''));
    // A program that has nothing to do with Jugg and lives under the pid of the file.
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const record = {
      pid: other.pid ?? 0,
      port: FIRST,
      version: '0',
      startedAt: '2026-01-01T00:00:00Z',
      projects: [lock.projectDir],
    };
    await writeRecord(folder, record);
    expect((await findServer(folder, 'token')) === undefined).toBe(wanted.startServer);
    expect(await readRecords(folder)).toEqual([]);
    other.kill();
    await new Promise((resolve) => other.once('exit', resolve));
  });
});

describe('field cases of processes', () => {
  test('I-9 client closes standard input', async () => {
    const wanted = theCase('I-9').expect;
    const child = spawn(process.execPath, [childScript, 'timers'], { stdio: ['pipe', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const began = performance.now();
    child.stdin.end();
    const exitCode = await new Promise((resolve) => child.once('exit', resolve));
    expect(exitCode).toBe(wanted.exitCode);
    expect(performance.now() - began).toBeLessThan(wanted.exitWithinMs ?? 0);
  });

  test('I-10 broken pipe inside the handler for uncaught errors', async () => {
    const wanted = theCase('I-10').expect;
    const report = join(folder, 'broken-pipes.json');
    const child = spawn(process.execPath, [childScript, 'broken-pipes', report]);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const began = performance.now();
    child.stderr.destroy();
    child.stdout.destroy();
    child.stdin.destroy();
    const exitCode = await new Promise((resolve) => child.once('exit', resolve));
    expect(exitCode).toBe(wanted.exitCode);
    expect(performance.now() - began).toBeLessThan(wanted.exitWithinMs ?? 0);
    const { writes, cpuMs } = JSON.parse(await readFile(report, 'utf8'));
    expect(writes).toBeLessThanOrEqual(wanted.stderrWritesMax ?? 0);
    expect(cpuMs).toBeLessThan(wanted.cpuMsMax ?? 0);
  });

  test('a bug that nobody caught ends the process once, with its code and a log, also when nobody reads', async () => {
    const report = join(folder, 'bug');
    const child = spawn(process.execPath, [childScript, 'bug', report]);
    child.stderr.destroy();
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(70);
    expect(await readFile(`${report}.log`, 'utf8')).toContain('unforeseen');
  });

  test('I-12 child prints fifty megabytes', async () => {
    const { input, expect: wanted } = theCase('I-12');
    const bytes = input.child?.stdoutBytes ?? 0;
    const line = `${'x'.repeat(99)}\\n`;
    const script = `let left = ${bytes}; const line = '${line}'.repeat(100);
      const more = () => { while (left > 0) { left -= line.length; if (!process.stdout.write(line)) return process.stdout.once('drain', more); } };
      more();`;
    let lines = 0;
    const outcome = await runChild(process.execPath, ['-e', script], {
      signal: AbortSignal.timeout(50_000),
      onLine: () => (lines += 1),
    });
    expect(outcome.exitCode).toBe(wanted.childExitCode);
    expect(lines).toBeGreaterThanOrEqual(Math.floor(bytes / 100));
    expect(outcome.stdout.length + outcome.stderr.length).toBeLessThan(wanted.keptCharsMax ?? 0);
    expect(outcome.stdout).toContain('characters left out');
  });
});
