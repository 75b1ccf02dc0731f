import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FrontFixture } from './http-fixture.ts';

/** Ways to lose a client at its socket (those of whole processes are in e2e/lost-clients.test.ts). */

let fixture: FrontFixture;
let sockets: Socket[];
beforeEach(async () => {
  fixture = new FrontFixture(0);
  fixture.front.port = await fixture.listen();
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await fixture.close();
});

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'version', arguments: {} } };

/** A request of the newest revision names itself in headers, too. */
const MODERN = 'mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: version\r\n';
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

function bytes(body: unknown, more = ''): string {
  const text = JSON.stringify(body);
  const headers = `host: 127.0.0.1:${fixture.address}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: ${Buffer.byteLength(text)}`;
  return `POST /jugg-mcp HTTP/1.1\r\n${more}${headers}\r\n\r\n${text}`;
}

function client(): Socket {
  const socket = connect({ port: fixture.address, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

/** A call that is being run until it is told to end; `left` is resolved when its client is known to be gone. */
function longCall() {
  let begun = (): void => {};
  let left = (): void => {};
  let end = (): void => {};
  const state = {
    begun: new Promise<void>((resolve) => (begun = resolve)),
    left: new Promise<void>((resolve) => (left = resolve)),
    end: () => end(),
  };
  fixture.onCall = async ({ signal, progress }) => {
    signal.addEventListener('abort', () => left(), { once: true });
    progress?.('running', null);
    begun();
    await new Promise<void>((resolve) => (end = resolve));
  };
  return state;
}

const open = (): Promise<number> =>
  new Promise((resolve, reject) =>
    fixture.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

/** All others are served as if nothing had been. */
async function isWell(): Promise<void> {
  fixture.onCall = async () => {};
  expect((await fixture.post(call)).status).toBe(200);
}

describe('a client that is lost', () => {
  test.each([
    ['while it waits for its answer', undefined, ''],
    ['while it listens to progress', { progressToken: 1 }, ''],
    ['while it waits, newest revision', modernMeta, MODERN],
    ['while it listens, newest revision', { ...modernMeta, progressToken: 1 }, MODERN],
  ])('%s ends its call, and no other', async (_name, _meta, headers) => {
    const running = longCall();
    const socket = client();
    socket.write(bytes({ ...call, params: { ...call.params, ...(_meta ? { _meta } : {}) } }, headers));
    await running.begun;
    socket.destroy();
    await running.left;
    running.end();
    await isWell();
  });

  test('or has closed just its sending half, which looks the same from here', async () => {
    const running = longCall();
    const socket = client();
    socket.write(bytes(call));
    await running.begun;
    socket.end();
    await running.left;
    running.end();
    await isWell();
    await expect.poll(open).toBe(0);
  });

  test('by a reset connection', async () => {
    const running = longCall();
    const socket = client();
    socket.write(bytes(call));
    await running.begun;
    socket.resetAndDestroy();
    await running.left;
    running.end();
    await isWell();
  });

  test('in the middle of its headers or its body leaves no connection', async () => {
    const whole = bytes(call);
    for (const length of [5, whole.indexOf('\r\n\r\n'), whole.length - 3]) {
      const socket = client();
      await new Promise<void>((resolve) => socket.write(whole.slice(0, length), () => resolve()));
      socket.destroy();
    }
    await isWell();
    await expect.poll(open).toBe(0);
    expect(fixture.ran).toHaveLength(1);
  });
});

describe('a client that is still there', () => {
  test('and does not read (a stopped process, a laptop asleep) holds up nobody, and gets all of it later', async () => {
    fixture.toolTextChars = 15_000;
    const socket = client();
    socket.pause();
    // Enough that the buffers of both ends are full.
    const calls = 1000;
    socket.write(bytes(call).repeat(calls));
    await expect.poll(() => fixture.ran.length).toBeGreaterThan(10);
    expect((await fixture.post(call)).status).toBe(200);
    let answers = 0;
    let tail = '';
    socket.on('data', (chunk: Buffer) => {
      const text = tail + chunk.toString('latin1');
      answers += text.split('HTTP/1.1 200 ').length - 1;
      tail = text.slice(-'HTTP/1.1 200 '.length + 1);
    });
    socket.resume();
    await expect.poll(() => answers, { timeout: 20_000 }).toBe(calls);
  });
});

describe('a client that keeps the server waiting', () => {
  const whole = (): string => bytes(call);
  test.each([
    ['with its headers', (text: string) => text.slice(0, 20), ' 408 '],
    ['with its body', (text: string) => text.slice(0, -3), ' 408 '],
    ['for its next request', (text: string) => text, ' 200 '],
  ])('%s is dropped', async (_name, part, status) => {
    await fixture.close();
    fixture = new FrontFixture(0, undefined, { headers: 100, request: 200, idle: 100, check: 50 });
    fixture.front.port = await fixture.listen();
    const socket = client();
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    const ended = new Promise((resolve) => socket.once('end', resolve));
    socket.write(part(whole()));
    await ended;
    socket.end();
    expect(answer).toContain(`HTTP/1.1${status}`);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ jsonrpc: '2.0' });
    await isWell();
  });

  test.each([
    ['headers beyond the limit', `GET / HTTP/1.1\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, ' 431 '],
    ['bytes that are no HTTP', '\u0016\u0003\u0001 hello\r\n\r\n', ' 400 '],
  ])('%s are answered in JSON', async (_name, text, status) => {
    const socket = client();
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    const ended = new Promise((resolve) => socket.once('end', resolve));
    socket.write(text);
    await ended;
    expect(answer).toContain(`HTTP/1.1${status}`);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error: { code: -32600 } });
  });
});
