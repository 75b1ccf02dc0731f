import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A picture of one colour: what the screen shows when no app draws on it. `rgb` is 0xRRGGBB. */
export async function plainPng(width: number, height: number, rgb: number): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel, RGB, no interlace.
  header.set([8, 2, 0, 0, 0], 8);
  // Each row begins with the number of its filter: none.
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x++) row.writeUIntBE(rgb, 1 + x * 3, 3);
  const pixels = Buffer.alloc(row.length * height, row);
  const body = await promisify(deflate)(pixels);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', body),
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

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel: red, green, blue, alpha. */
  readonly rgba: Buffer;
}

/** Reads a PNG with 8 bits a channel, RGB or RGBA, not interlaced: what app processes make. `null` for others. */
export async function readPng(png: Buffer): Promise<Pixels | null> {
  if (!png.subarray(0, 8).equals(SIGNATURE)) return null;
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[png.readUInt8(25)];
  if (channels === undefined || png.readUInt8(24) !== 8 || png.readUInt8(28) !== 0) return null;
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(data);
  }
  const raw: Buffer = await promisify(inflate)(Buffer.concat(parts));
  unfilter(raw, width * channels, height, channels);
  const rgba = Buffer.alloc(width * height * 4, 0xff);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = y * (width * channels + 1) + 1 + x * channels;
      raw.copy(rgba, (y * width + x) * 4, from, from + channels);
    }
  }
  return { width, height, rgba };
}

/** Undoes the filters of the rows in place (PNG specification, section 9). Each row has its filter's number first. */
function unfilter(raw: Buffer, stride: number, height: number, channels: number): void {
  const at = (y: number, x: number): number => (y < 0 || x < 0 ? 0 : (raw[y * (stride + 1) + 1 + x] ?? 0));
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0;
    if (filter === 0) continue;
    for (let x = 0; x < stride; x++) {
      const [left, up, corner] = [at(y, x - channels), at(y - 1, x), at(y - 1, x - channels)];
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      raw[y * (stride + 1) + 1 + x] = (at(y, x) + predicted) & 0xff;
    }
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
