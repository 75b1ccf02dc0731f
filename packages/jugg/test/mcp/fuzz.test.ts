import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toTool } from '../../src/mcp/tools.ts';
import { listedActions } from '../../src/actions/registry.ts';
import { parseArguments } from '../../src/actions/arguments.ts';
import { PROTOCOL_VERSIONS } from '../../src/shared/protocol-versions.ts';
import { FrontFixture, type Answer } from './http-fixture.ts';

/** 2,000 requests in an ordinary run, 20,000 with `npm run test:fuzz` (vitest's mode `deep`). */
const RUNS = process.env['MODE'] === 'deep' ? 20_000 : 2_000;
/** Requests that are under way at the same time. */
const TOGETHER = 20;
/** An answer that takes longer is a hang: nothing here takes the server more than some ms. */
const HANG_MS = 10_000;

let fixture: FrontFixture;
beforeAll(async () => {
  fixture = new FrontFixture(0);
  fixture.front.port = await fixture.listen();
});
afterAll(() => fixture.close());

const NAMES = listedActions().map((action) => action.name);
/** Argument names of all tools: values of the wrong type in the right place reach further than noise. */
const ARGUMENTS = [
  ...new Set(listedActions().flatMap((action) => Object.keys(toTool(action).inputSchema.properties ?? {}))),
];

const anyArguments = fc.oneof(
  fc.dictionary(fc.constantFrom(...ARGUMENTS), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 }),
  fc.jsonValue(),
);
const method = fc.oneof(
  fc.constantFrom(
    'tools/call',
    'tools/list',
    'initialize',
    'ping',
    'resources/read',
    'resources/list',
    'prompts/get',
    'prompts/list',
    'completion/complete',
    'logging/setLevel',
    'server/discover',
    'notifications/initialized',
    'notifications/cancelled',
    'jugg/stop',
  ),
  fc.string(),
);
const params = fc.oneof(
  fc.record(
    {
      name: fc.oneof(fc.constantFrom(...NAMES), fc.string()),
      arguments: anyArguments,
      _meta: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
  fc.record({ uri: fc.oneof(fc.webUrl(), fc.string(), fc.constant('jugg://artifact/file-..%2F..%2Fetc')) }),
  fc.jsonValue(),
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: fc.jsonValue() }),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method: fc.oneof({ weight: 9, arbitrary: method }, { weight: 1, arbitrary: fc.jsonValue() }),
    params,
    result: fc.jsonValue(),
  },
  { requiredKeys: ['jsonrpc', 'method'] },
);
const body = fc.oneof(
  { weight: 6, arbitrary: message.map((value) => Buffer.from(JSON.stringify(value))) },
  // Cut, and with one byte changed: almost right.
  {
    weight: 2,
    arbitrary: fc.tuple(message, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
      const bytes = Buffer.from(JSON.stringify(value));
      bytes[at % bytes.length] = byte;
      return at % 3 === 0 ? bytes.subarray(0, at % bytes.length) : bytes;
    }),
  },
  { weight: 1, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
);
const headerValue = fc.oneof(
  fc.constantFrom(
    'application/json',
    'text/event-stream',
    '*/*',
    'gzip',
    'chunked',
    'close',
    'null',
    'Bearer secret-token',
    ...PROTOCOL_VERSIONS,
  ),
  fc.string({ unit: fc.constantFrom(...Array.from('abcXYZ019 /;=,-_.:*"\\é')) }),
);
const headers = fc.dictionary(
  fc.constantFrom(
    'accept',
    'content-type',
    'content-encoding',
    'mcp-protocol-version',
    'mcp-session-id',
    'mcp-method',
    'mcp-name',
    'origin',
    'authorization',
    'user-agent',
    'x-jugg-client',
    'x-jugg-stream',
    'expect',
    'connection',
    'last-event-id',
  ),
  headerValue,
  { maxKeys: 4 },
);
const httpMethod = fc.oneof(
  { weight: 12, arbitrary: fc.constant('POST') },
  { weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH') },
);
const path = fc.oneof(
  { weight: 20, arbitrary: fc.constant('/jugg-mcp') },
  { weight: 1, arbitrary: fc.webPath() },
);
const request = fc.record({ httpMethod, path, headers, body });
type Shot = typeof request extends fc.Arbitrary<infer T> ? T : never;

function send({ httpMethod: verb, path: target, headers: given, body: bytes }: Shot): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      host: '127.0.0.1',
      port: fixture.address,
      path: encodeURI(target),
      method: verb,
      agent: false,
      headers: {
        'content-type': 'application/json',
        ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, latin1(value)])),
        'content-length': bytes.length,
      },
      signal: AbortSignal.timeout(HANG_MS),
    });
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: new Map(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

function latin1(value: string): string {
  return Buffer.from(value, 'latin1').toString('latin1');
}

const STACK = /\n\s+at |node_modules|\.ts:\d|\.mjs:\d|ZodError|TypeError|SyntaxError/;
const PATH = /\/(home|work|tmp|usr|Users)\/|[A-Z]:\\\\\w/;

function check(shot: Shot, answer: Answer): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.status).toBeGreaterThanOrEqual(200);
  if (answer.body === '') return;
  const failed = answer.status >= 400 || /"error":\{/.test(answer.body.slice(0, 200));
  if (failed) {
    expect(answer.body).not.toMatch(STACK);
    // What looks like a path may be the client's own words, told back.
    const [found = ''] = PATH.exec(answer.body) ?? [];
    expect(shot.body.toString('latin1') + JSON.stringify(shot.headers)).toContain(found);
  }
  if (answer.headers.get('content-type')?.startsWith('application/json'))
    expect(() => JSON.parse(answer.body)).not.toThrow();
}

describe('random and mutated requests', () => {
  test(`HTTP: ${RUNS} requests`, { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: TOGETHER, maxLength: TOGETHER }), async (shots) => {
        const answers = await Promise.all(shots.map(send));
        for (const [index, shot] of shots.entries()) {
          const answer = answers[index];
          if (answer) check(shot, answer);
        }
      }),
      { numRuns: RUNS / TOGETHER },
    );
  });

  test(`bytes that are no HTTP: ${RUNS / 20} connections`, { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 2000 }), async (bytes) => {
        const said = await talk(Buffer.from(bytes));
        expect(said).toMatch(/^(HTTP\/1\.1 [234]|$)/);
        expect(said).not.toMatch(STACK);
      }),
      { numRuns: RUNS / 20 },
    );
  });

  test(`arguments of every tool: ${RUNS} calls`, { timeout: 600_000 }, () => {
    const call = fc.tuple(fc.constantFrom(...listedActions()), anyArguments);
    fc.assert(
      fc.property(call, ([action, given]) => {
        const parsed = parseArguments(action, given);
        if (parsed.ok) return;
        expect(parsed.fault.code).toBe('INVALID_PARAMS');
        expect(parsed.fault.message).not.toMatch(STACK);
        expect(parsed.fault.message).not.toBe('');
      }),
      { numRuns: RUNS },
    );
  });

  test('afterwards the server answers as before', async () => {
    const answer = await fixture.post({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'version' },
    });
    expect(answer.status).toBe(200);
  });
});

/** What a server says to bytes, until it closes or the other side has nothing more to say. */
function talk(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(fixture.address, '127.0.0.1');
    let said = '';
    socket.on('data', (chunk) => (said += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(said));
    socket.end(bytes);
  });
}
