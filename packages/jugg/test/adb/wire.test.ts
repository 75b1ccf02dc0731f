import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  A_CLSE,
  A_OKAY,
  A_OPEN,
  A_WRTE,
  checksum,
  commandName,
  encodeMessage,
  HEADER_SIZE,
  MessageDecoder,
} from '../../src/adb/wire.ts';
import type { Message } from '../../src/adb/wire.ts';

const message: fc.Arbitrary<Message> = fc.record({
  command: fc.constantFrom(A_OPEN, A_OKAY, A_WRTE, A_CLSE),
  arg0: fc.nat({ max: 0xffffffff }),
  arg1: fc.nat({ max: 0xffffffff }),
  payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

function decode(decoder: MessageDecoder, chunks: readonly Buffer[]): { messages: Message[]; ok: boolean } {
  const messages: Message[] = [];
  for (const chunk of chunks) {
    const result = decoder.push(chunk, (one) => messages.push(one));
    if (!result.ok) return { messages, ok: false };
  }
  return { messages, ok: true };
}

function chop(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

describe('wire codec', () => {
  test('decodes what it encodes, however the bytes are chopped', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 8 }),
        fc.array(fc.nat(5000)),
        fc.boolean(),
        (all, cuts, sums) => {
          const bytes = Buffer.concat(all.map((one) => encodeMessage(one, sums)));
          const decoder = new MessageDecoder();
          decoder.verifyChecksum = sums;
          expect(decode(decoder, chop(bytes, cuts))).toEqual({ messages: all, ok: true });
        },
      ),
    );
  });

  test('a wrong byte anywhere in the magic, the command or the payload is found', () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.integer({ min: 1, max: 255 }), (one, where, flip) => {
        const bytes = encodeMessage(one, true);
        // Everything but arg0, arg1 (which no sum covers) and the length (a longer message just waits for more).
        const covered = [...bytes.keys()].filter((at) => at < 4 || at >= 16);
        const at = covered[where % covered.length] ?? 0;
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        expect(decode(new MessageDecoder(), [bytes]).ok).toBe(false);
      }),
    );
  });

  test('a length beyond the limit is refused before it is allocated', () => {
    const bytes = encodeMessage({ command: A_WRTE, arg0: 1, arg1: 1, payload: Buffer.alloc(0) }, false);
    bytes.writeUInt32LE(0x7fffffff, 12);
    expect(decode(new MessageDecoder(), [bytes]).ok).toBe(false);
  });

  test('the header is as protocol.txt says', () => {
    const bytes = encodeMessage({ command: A_OPEN, arg0: 5, arg1: 0, payload: Buffer.from('sync:\0') }, true);
    expect(bytes.toString('latin1', 0, 4)).toBe('OPEN');
    expect(bytes.readUInt32LE(12)).toBe(6);
    expect(bytes.readUInt32LE(16)).toBe(checksum(Buffer.from('sync:\0')));
    expect(bytes.readUInt32LE(20)).toBe((A_OPEN ^ 0xffffffff) >>> 0);
    expect(bytes).toHaveLength(HEADER_SIZE + 6);
    expect(commandName(A_OPEN)).toBe('OPEN');
  });
});
