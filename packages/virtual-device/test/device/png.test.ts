import { deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainPng, readPng } from '../../src/system/png.ts';

test('a plain picture is what it says', async () => {
  const pixels = await readPng(await plainPng(3, 2, 0x102030));
  expect(pixels).toMatchObject({ width: 3, height: 2 });
  expect([...(pixels?.rgba.subarray(0, 4) ?? [])]).toEqual([0x10, 0x20, 0x30, 0xff]);
  expect(await readPng(Buffer.from('no picture at all'))).toBeNull();
});

test('every filter of the rows is undone', async () => {
  const width = 5;
  const height = 4;
  const byte = fc.integer({ min: 0, max: 255 });
  const rows = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 4 }), fc.array(byte, { minLength: width * 4, maxLength: width * 4 })),
    {
      minLength: height,
      maxLength: height,
    },
  );
  await fc.assert(
    fc.asyncProperty(rows, async (picture) => {
      const pixels = await readPng(encode(picture, width, height));
      expect([...(pixels?.rgba ?? [])]).toEqual(picture.flatMap(([, row]) => row));
    }),
  );
});

/** Filters rows as the PNG specification (9.2) defines them, written down independently of the reader. */
function encode(picture: readonly [number, number[]][], width: number, height: number): Buffer {
  const out: number[] = [];
  for (const [y, [filter, row]] of picture.entries()) {
    out.push(filter);
    for (const [x, value] of row.entries()) {
      const a = x >= 4 ? (row[x - 4] ?? 0) : 0;
      const above = picture[y - 1]?.[1];
      const b = above?.[x] ?? 0;
      const c = x >= 4 ? (above?.[x - 4] ?? 0) : 0;
      const p = a + b - c;
      const nearest = [a, b, c].toSorted((m, n) => Math.abs(p - m) - Math.abs(p - n))[0] ?? 0;
      out.push((value - ([0, a, b, Math.floor((a + b) / 2), nearest][filter] ?? 0)) & 0xff);
    }
  }
  const header = Buffer.alloc(25);
  header.write('IHDR', 4, 'latin1');
  header.writeUInt32BE(13, 0);
  header.writeUInt32BE(width, 8);
  header.writeUInt32BE(height, 12);
  header.set([8, 6, 0, 0, 0], 16);
  const data = deflateSync(Buffer.from(out));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write('IDAT', 4, 'latin1');
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, header, head, data, Buffer.alloc(4)]);
}
