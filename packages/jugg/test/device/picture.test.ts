import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { cropAndScale, isBlack } from '../../src/device/picture.ts';

/** Red grows to the right, green downwards. */
function gradient(width: number, height: number): Uint8Array {
  const png = new PNG({ width, height });
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) png.data.set([x * 10, y * 10, 0, 255], (y * width + x) * 4);
  return PNG.sync.write(png);
}

function read(png: Uint8Array): PNG {
  return PNG.sync.read(Buffer.from(png));
}

test('a crop holds the pixels of its place, cut at the edge of the screen', () => {
  const cut = cropAndScale(gradient(20, 10), { crop: [15, 4, 40, 8], maxSize: null });
  expect(cut).toMatchObject({ ok: true, value: { width: 5, height: 4, scale: 1 } });
  const pixels = cut.ok ? read(cut.value.png) : new PNG();
  expect([...pixels.data.subarray(0, 4)]).toEqual([150, 40, 0, 255]);
});

test('shrinking takes the mean and keeps the form', () => {
  const small = cropAndScale(gradient(20, 10), { crop: null, maxSize: 10 });
  expect(small).toMatchObject({ ok: true, value: { width: 10, height: 5, scale: 0.5 } });
  const pixels = small.ok ? read(small.value.png) : new PNG();
  expect([...pixels.data.subarray(4, 8)]).toEqual([25, 5, 0, 255]);
});

test('nothing is enlarged, and what needs no work stays as it is', () => {
  const png = gradient(20, 10);
  expect(cropAndScale(png, { crop: null, maxSize: 100 })).toMatchObject({
    value: { png, width: 20, scale: 1 },
  });
});

test('what lies outside, or is no picture, is told', () => {
  expect(cropAndScale(gradient(20, 10), { crop: [30, 0, 40, 8], maxSize: null })).toMatchObject({
    fault: { code: 'ELEMENT_NOT_FOUND' },
  });
  expect(cropAndScale(new Uint8Array(5), { crop: null, maxSize: null })).toMatchObject({ ok: false });
});

test('black is black, whatever the size', () => {
  const black = new PNG({ width: 1080, height: 2400 });
  black.data.fill(0);
  for (let i = 3; i < black.data.length; i += 4) black.data[i] = 255;
  const pixels = 1080 * 2400;
  expect(isBlack(PNG.sync.write(black), pixels)).toBe(true);
  black.data[4 * 5000] = 1;
  expect(isBlack(PNG.sync.write(black), pixels)).toBe(false);
  expect(isBlack(gradient(20, 10), 200)).toBe(false);
});

test('marks are drawn where the places are, after cutting and shrinking, and inside of the picture', () => {
  const white = new PNG({ width: 200, height: 100 });
  white.data.fill(255);
  const marks = [
    { bounds: [100, 40, 180, 90], label: 'e1' },
    { bounds: [195, 95, 240, 130], label: 'e23' },
    { bounds: [0, 0, 40, 40], label: 'e4' },
  ] as const;
  const drawn = cropAndScale(PNG.sync.write(white), { crop: [50, 0, 200, 100], maxSize: 75, marks });
  expect(drawn).toMatchObject({ ok: true, value: { width: 75, height: 50, scale: 0.5 } });
  const pixels = drawn.ok ? read(drawn.value.png) : new PNG();
  const at = (x: number, y: number): number[] => [
    ...pixels.data.subarray((y * 75 + x) * 4, (y * 75 + x) * 4 + 3),
  ];
  // The frame's left lower corner, its inside, the outside.
  expect(at(25, 44)).toEqual([200, 0, 80]);
  expect(at(45, 40)).toEqual([255, 255, 255]);
  expect(at(10, 10)).toEqual([255, 255, 255]);
  // What reaches over the edge has its label inside; what lies outside is not drawn.
  expect(at(74, 49)).toEqual([0, 90, 200]);
});
