import { crc32, deflateSync } from 'node:zlib';

/** A picture of one colour: what the screen shows when no app draws on it. `rgb` is 0xRRGGBB. */
export function plainPng(width: number, height: number, rgb: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel, RGB, no interlace.
  header.set([8, 2, 0, 0, 0], 8);
  // Each row begins with the number of its filter: none.
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x++) row.writeUIntBE(rgb, 1 + x * 3, 3);
  const pixels = Buffer.alloc(row.length * height, row);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
