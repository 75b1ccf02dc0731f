import { PNG } from 'pngjs';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { drawMarks, type Mark, type Pixels } from './marks.ts';
import type { Bounds } from './tree.ts';

export interface Picture {
  readonly png: Uint8Array;
  /** px of this picture. */
  readonly width: number;
  readonly height: number;
  /** Picture px for one px of the screen: 0.5 = half as large. */
  readonly scale: number;
}

function decode(png: Uint8Array): Result<Pixels> {
  try {
    return ok(PNG.sync.read(Buffer.from(png.buffer, png.byteOffset, png.byteLength)));
  } catch (error) {
    return fail('FEATURE_NOT_SUPPORTED', `The device's picture cannot be read: ${String(error)}`);
  }
}

function encode({ width, height, data }: Pixels): Uint8Array {
  const png = new PNG({ width, height });
  png.data.set(data);
  return PNG.sync.write(png);
}

function crop(from: Pixels, [l, t, r, b]: Bounds): Result<Pixels> {
  const left = Math.max(0, l);
  const top = Math.max(0, t);
  const width = Math.min(from.width, r) - left;
  const height = Math.min(from.height, b) - top;
  if (width <= 0 || height <= 0) return fail('ELEMENT_NOT_FOUND', 'The element lies outside of the screen.');
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const start = ((top + y) * from.width + left) * 4;
    data.set(from.data.subarray(start, start + width * 4), y * width * 4);
  }
  return ok({ width, height, data });
}

/** Each pixel is the mean of those it stands for, so that thin lines and text stay readable. */
function shrink(from: Pixels, width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const top = Math.floor((y * from.height) / height);
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * from.height) / height));
    for (let x = 0; x < width; x++) {
      const left = Math.floor((x * from.width) / width);
      const right = Math.max(left + 1, Math.floor(((x + 1) * from.width) / width));
      const sum = [0, 0, 0, 0];
      for (let sy = top; sy < bottom; sy++)
        for (let sx = left; sx < right; sx++)
          for (let c = 0; c < 4; c++)
            sum[c] = (sum[c] ?? 0) + (from.data[(sy * from.width + sx) * 4 + c] ?? 0);
      const count = (bottom - top) * (right - left);
      for (let c = 0; c < 4; c++) data[(y * width + x) * 4 + c] = Math.round((sum[c] ?? 0) / count);
    }
  }
  return { width, height, data };
}

export interface PictureWish {
  /** What to cut out, px of the screen. */
  readonly crop: Bounds | null;
  /** No side becomes longer than this, in px of the picture. */
  readonly maxSize: number | null;
  /** Places to mark with their labels, px of the screen. */
  readonly marks?: readonly Mark[];
}

/** Cuts out, shrinks (never enlarges), and draws the marks last, so that their labels stay readable. */
export function cropAndScale(png: Uint8Array, wish: PictureWish): Result<Picture> {
  const { maxSize, marks = [] } = wish;
  const whole = decode(png);
  if (!whole.ok) return whole;
  const part = wish.crop ? crop(whole.value, wish.crop) : whole;
  if (!part.ok) return part;
  const { width, height } = part.value;
  const scale = maxSize === null ? 1 : Math.min(1, maxSize / Math.max(width, height));
  if (scale === 1 && !wish.crop && marks.length === 0) return ok({ png, width, height, scale });
  const pixels =
    scale === 1
      ? part.value
      : shrink(part.value, Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const [left, top] = wish.crop ?? [0, 0];
  drawMarks(
    pixels,
    marks.map(({ bounds, label }) => ({ label, bounds: inPicture(bounds, left, top, scale) })),
  );
  return ok({ png: encode(pixels), width: pixels.width, height: pixels.height, scale });
}

function inPicture([l, t, r, b]: Bounds, left: number, top: number, scale: number): Bounds {
  const x = Math.max(0, left);
  const y = Math.max(0, top);
  return [(l - x) * scale, (t - y) * scale, (r - x) * scale, (b - y) * scale];
}

/** Bytes for a thousand pixels below which a picture may be of one colour; others are not worth decoding. */
const PLAIN_BYTES = 20;

/** Whether every pixel is black: a protected window, or a screen that is off. */
export function isBlack(png: Uint8Array, pixels: number): boolean {
  if (png.byteLength > 1000 + (pixels / 1000) * PLAIN_BYTES) return false;
  const decoded = decode(png);
  if (!decoded.ok) return false;
  const { data } = decoded.value;
  // Millions of pixels: a plain loop is ten times faster than a callback for each byte.
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] !== 0 || data[i + 1] !== 0 || data[i + 2] !== 0) return false;
  }
  return true;
}
