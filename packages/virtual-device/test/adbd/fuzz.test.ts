import * as fc from 'fast-check';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { A_CLSE, A_CNXN, A_OKAY, A_OPEN, A_WRTE, encodeMessage } from '../../../jugg/src/adb/wire.ts';
import { directClient } from '../support/direct.ts';
import { startTestDevice } from '../support/test-device.ts';
import type { TestDevice } from '../support/test-device.ts';

let vd: TestDevice;

beforeAll(async () => {
  vd = await startTestDevice();
});

afterAll(() => vd.stop());

/** Sends bytes and hangs up when the device has taken or refused them. */
function send(bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: vd.port });
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.resume();
    socket.end(bytes);
  });
}

const service = fc.constantFrom(
  'shell:echo x',
  'shell,v2:cat',
  'sync:',
  'exec:ls /',
  'no:',
  'tcp:1',
  'track-jdwp',
);
const message = fc.record({
  command: fc.constantFrom(A_CNXN, A_OPEN, A_OKAY, A_WRTE, A_CLSE),
  arg0: fc.nat({ max: 5 }),
  arg1: fc.nat({ max: 5 }),
  payload: fc.oneof(
    service.map((name) => Buffer.from(`${name}\0`)),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('STAT', 'SEND', 'LIST', 'RECV', 'DATA')
      .map((id) => Buffer.from(`${id}\u0005\0\0\0/data`)),
  ),
});

test('whatever a client sends, the device lives on', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { maxLength: 12 }),
      fc.uint8Array({ maxLength: 40 }),
      async (messages, tail) => {
        await send(Buffer.concat([...messages.map((one) => encodeMessage(one, true)), Buffer.from(tail)]));
      },
    ),
    { numRuns: 60 },
  );
  const client = await directClient(vd.port);
  expect((await client.sh('echo alive')).stdout).toBe('alive\n');
  client.close();
});
