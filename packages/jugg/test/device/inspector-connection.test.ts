import { PassThrough, Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { InspectorConnection } from '../../src/device/inspector-connection.ts';

interface Peer {
  readonly connection: InspectorConnection;
  readonly stream: Duplex;
  /** Bytes as the inspector sends them. */
  readonly send: (bytes: Buffer) => void;
  /** What was asked, in order. */
  readonly requests: () => Promise<{ id: number; method: string }[]>;
}

function frame(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

function peer(): Peer {
  const toApp = new PassThrough();
  const fromApp = new PassThrough();
  const stream = Duplex.from({ writable: toApp, readable: fromApp });
  return {
    connection: new InspectorConnection(stream),
    stream,
    send: (bytes) => fromApp.write(bytes),
    requests: async () => {
      await new Promise(setImmediate);
      const bytes: Buffer = toApp.read() ?? Buffer.alloc(0);
      const found = [];
      for (let at = 0; at < bytes.length;) {
        const length = bytes.readUInt32BE(at);
        found.push(JSON.parse(bytes.toString('utf8', at + 4, at + 4 + length)));
        at += 4 + length;
      }
      return found;
    },
  };
}

const any = z.object({ n: z.number() });
const forever = new AbortController().signal;
const options = { timeoutMs: 5_000, signal: forever };

test('answers find their requests, in any order and in any pieces', async () => {
  const { connection, send, requests } = peer();
  const first = connection.request('a', { text: 'ü' }, any, options);
  const second = connection.request('b', {}, any, options);
  expect(await requests()).toEqual([
    { id: 1, method: 'a', params: { text: 'ü' } },
    { id: 2, method: 'b', params: {} },
  ]);
  const bytes = Buffer.concat([frame({ id: 2, result: { n: 2 } }), frame({ id: 1, result: { n: 1 } })]);
  for (const byte of bytes) send(Buffer.from([byte]));
  expect(await first).toEqual({ ok: true, value: { n: 1 } });
  expect(await second).toEqual({ ok: true, value: { n: 2 } });
  connection.close();
});

test('errors of the inspector have codes of the contract', async () => {
  const { connection, send } = peer();
  const asked = connection.request('touch', {}, any, options);
  send(frame({ id: 1, error: { code: 'STALE_REF', message: 'e7 is gone' } }));
  expect(await asked).toMatchObject({ fault: { code: 'ELEMENT_NOT_FOUND', data: { staleRef: true } } });
  connection.close();
});

test('the end of the connection ends what waits', async () => {
  const { connection, stream } = peer();
  const asked = connection.request('tree', {}, any, options);
  stream.destroy();
  expect(await asked).toMatchObject({ fault: { code: 'APP_NOT_RUNNING' } });
  expect(connection.open).toBe(false);
  expect(await connection.request('tree', {}, any, options)).toMatchObject({ ok: false });
});

test('time and signal end a request, and a late answer does no harm', async () => {
  const { connection, send } = peer();
  const late = await connection.request('a', {}, any, { timeoutMs: 5, signal: forever });
  expect(late).toMatchObject({ fault: { code: 'TIMEOUT' } });
  const stop = new AbortController();
  const canceled = connection.request('b', {}, any, { timeoutMs: 5_000, signal: stop.signal });
  stop.abort();
  expect(await canceled).toMatchObject({ fault: { code: 'CANCELED' } });
  const next = connection.request('c', {}, any, options);
  send(Buffer.concat([1, 2, 3].map((id) => frame({ id, result: { n: id } }))));
  expect(await next).toEqual({ ok: true, value: { n: 3 } });
  connection.close();
});

test('something that is no inspector is hung up on', async () => {
  const { connection, send } = peer();
  const asked = connection.request('a', {}, any, options);
  send(Buffer.from('HTTP/1.1 400 Bad Request\r\n'));
  expect(await asked).toMatchObject({ ok: false });
  expect(connection.open).toBe(false);
});
