import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROTOCOL_VERSIONS } from '../../src/shared/protocol-versions.ts';
import { FrontFixture } from './http-fixture.ts';

let fixture: FrontFixture;
beforeEach(async () => {
  fixture = new FrontFixture(0, {
    allowedHosts: ['box.internal:8080'],
    allowedOrigins: ['https://ide.example'],
  });
  fixture.front.port = await fixture.listen();
});
afterEach(() => fixture.close());

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'version', arguments: {} } };
const token = { authorization: 'Bearer secret-token' };

describe('the HTTP front', () => {
  test('tells a caller with the token from one without, and takes no wrong one for right', async () => {
    await fixture.post(call);
    await fixture.post(call, token);
    await fixture.post(call, { authorization: 'Bearer secret-tokex' });
    await fixture.post(call, { authorization: 'secret-token' });
    expect(fixture.ran.map((one) => one.trusted)).toEqual([false, true, false, false]);
  });

  test('tells clients apart: by the name they give, else by what they send anyway', async () => {
    await fixture.post(call, { 'x-jugg-client': 'agent-1' });
    await fixture.post(call, { 'user-agent': 'one' });
    await fixture.post(call, { 'user-agent': 'two' });
    await fixture.post(call, { 'user-agent': 'two', ...token });
    await fixture.post(call, { 'user-agent': 'one' });
    await fixture.post(call, { 'user-agent': 'one', 'x-jugg-client': '<b>{}</b>' });
    const [named, one, two, trusted, again, odd] = fixture.ran.map((ran) => ran.client);
    expect(named).toBe('agent-1');
    expect(again).toBe(one);
    expect(odd).toBe(one);
    expect(new Set([named, one, two, trusted]).size).toBe(4);
  });

  test('lets allowed hosts and origins in with the token only', async () => {
    const host = { host: 'box.internal:8080' };
    expect((await fixture.post(call, host)).status).toBe(403);
    expect((await fixture.post(call, { ...host, ...token })).status).toBe(200);
    expect((await fixture.post(call, { origin: 'https://ide.example' })).status).toBe(403);
    expect((await fixture.post(call, { origin: 'https://ide.example', ...token })).status).toBe(200);
    expect((await fixture.post(call, { origin: 'https://other.example', ...token })).status).toBe(403);
  });

  test('refuses two Host headers and two Origins', async () => {
    const text = JSON.stringify(call);
    const head = `content-type: application/json\r\ncontent-length: ${text.length}`;
    const own = `127.0.0.1:${fixture.address}`;
    for (const extra of [
      `host: ${own}\r\nHost: evil.example`,
      `host: ${own}\r\norigin: http://${own}\r\norigin: null`,
    ]) {
      const answer = await fixture.raw(`POST /jugg-mcp HTTP/1.1\r\n${extra}\r\n${head}\r\n\r\n${text}`);
      expect([400, 403]).toContain(answer.status);
    }
    expect(fixture.ran).toEqual([]);
  });

  test('answers an unknown tool with a JSON-RPC error, and one that fails with a result', async () => {
    const unknown = await fixture.post({ ...call, method: 'no/such' });
    expect(JSON.parse(unknown.body)).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  test.each([
    ['"text"', -32600],
    ['5', -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":5}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600],
    ['', -32700],
    ['{"a":', -32700],
  ])('refuses the body %s', async (body, code) => {
    const answer = await fixture.post(body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  test.each([
    ['initialize', {}],
    ['initialize', { protocolVersion: 5, capabilities: {}, clientInfo: { name: 'a', version: '1' } }],
    ['resources/read', {}],
    ['prompts/get', undefined],
  ])('says that the params of %s are wrong: %j', async (method, params) => {
    const answer = await fixture.post({ jsonrpc: '2.0', id: 4, method, params });
    expect(JSON.parse(answer.body)).toMatchObject({ id: 4, error: { code: -32602 } });
  });

  test('lets one who sends all of a body that is too large read why it was refused', async () => {
    const head = `POST /jugg-mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${6 * 1024 * 1024}\r\n\r\n`;
    const socket = connect(fixture.address, '127.0.0.1');
    const answered = new Promise<string>((resolve, reject) => {
      socket.once('data', (chunk) => resolve(chunk.toString()));
      socket.once('error', reject);
    });
    const sent = new Promise<void>((resolve) =>
      socket.write(`${head}${'x'.repeat(6 * 1024 * 1024)}`, () => resolve()),
    );
    await sent;
    expect(await answered).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  test('tells one whose body has no announced length that it is too large, and hears it out', async () => {
    const mebibyte = `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`;
    const head = `POST /jugg-mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
    const socket = connect(fixture.address, '127.0.0.1');
    const problems: Error[] = [];
    socket.on('error', (error) => problems.push(error));
    const answered = new Promise<string>((resolve) =>
      socket.once('data', (chunk) => resolve(chunk.toString())),
    );
    socket.write(`${head}${mebibyte.repeat(5)}`);
    expect(await answered).toMatch(/^HTTP\/1\.1 413 /);
    await new Promise((resolve) => socket.write(`${mebibyte}0\r\n\r\n`, resolve));
    const next = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
    socket.write('GET /nothing HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(await next).toMatch(/^HTTP\/1\.1 404 /);
    expect(problems).toEqual([]);
    socket.destroy();
  });

  test('refuses a request without a host in JSON', async () => {
    const answer = await fixture.raw('POST /jugg-mcp HTTP/1.1\r\ncontent-length: 0\r\n\r\n');
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: -32600 } });
  });

  test('never executes a notification as a call', async () => {
    const { id: _, ...notification } = call;
    expect((await fixture.post(notification)).status).toBe(202);
    expect(fixture.ran).toEqual([]);
  });

  test('names the revisions it speaks to one who asks for another', async () => {
    const answer = await fixture.post(call, { 'mcp-protocol-version': '2031-01-01' });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      id: 1,
      error: { code: -32022, data: { supported: expect.arrayContaining(['2025-06-18']) } },
    });
    expect(
      JSON.parse((await fixture.post(call, { 'mcp-protocol-version': '1999-01-01' })).body),
    ).toMatchObject({ error: { code: -32000 } });
  });

  test('streams progress to one who asked for it and can read it, else answers JSON', async () => {
    fixture.onCall = async (caller) => caller.progress?.('compile', 40);
    const asked = { ...call, params: { ...call.params, _meta: { progressToken: 'p' } } };
    const stream = await fixture.post(asked, { accept: 'application/json, text/event-stream' });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.body).toContain('notifications/progress');
    expect(stream.body).toContain('"progress":40');
    const json = await fixture.post(asked, { accept: 'application/json' });
    expect(json.headers.get('content-type')).toContain('application/json');
    expect(JSON.parse(json.body)).toMatchObject({ result: { isError: false } });
  });

  test('answers 503 with Retry-After while it stops', async () => {
    fixture.front.beginClosing();
    const answer = await fixture.post(call);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  test('stops for one who has the token, and for no other', async () => {
    const stop = { jsonrpc: '2.0', id: 1, method: 'jugg/stop', params: {} };
    await fixture.post(stop);
    expect(fixture.stopAsked).toBe(false);
    await fixture.post(stop, token);
    expect(fixture.stopAsked).toBe(true);
  });

  test('stops for a newer program only when nobody is being answered', async () => {
    const stop = { jsonrpc: '2.0', id: 1, method: 'jugg/stop', params: { ifIdle: true } };
    let finish = (): void => {};
    const running = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const called = new Promise<void>((resolve) => {
      fixture.onCall = async () => {
        resolve();
        await running;
      };
    });
    const answered = fixture.post(call);
    await called;
    expect(JSON.parse((await fixture.post(stop, token)).body)).toMatchObject({ result: { stopping: false } });
    expect(fixture.stopAsked).toBe(false);
    finish();
    await answered;
    expect(JSON.parse((await fixture.post(stop, token)).body)).toMatchObject({ result: { stopping: true } });
  });

  test('server/discover names every revision that is served, as the error for an unknown one does', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const answer = await fixture.post(
      { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
    );
    expect(JSON.parse(answer.body)).toMatchObject({ result: { supportedVersions: [...PROTOCOL_VERSIONS] } });
  });

  test('answers HEAD with headers only, and OPTIONS without permission for anybody', async () => {
    const own = `host: 127.0.0.1:${fixture.address}`;
    const options = await fixture.raw(`OPTIONS /jugg-mcp HTTP/1.1\r\n${own}\r\n\r\n`);
    expect(options.status).toBe(204);
    expect([...options.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
