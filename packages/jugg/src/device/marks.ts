import type { Bounds } from './tree.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGBA, 8 bits each. */
  readonly data: Uint8Array;
}

/** A place in the picture (px of the picture) and what it is called there. */
export interface Mark {
  readonly bounds: Bounds;
  readonly label: string;
}

/** Rows of 3 px, the highest bit left: all that a ref is written with. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  e: [0b000, 0b111, 0b101, 0b110, 0b111],
  0: [0b111, 0b101, 0b101, 0b101, 0b111],
  1: [0b010, 0b110, 0b010, 0b010, 0b111],
  2: [0b111, 0b001, 0b111, 0b100, 0b111],
  3: [0b111, 0b001, 0b111, 0b001, 0b111],
  4: [0b101, 0b101, 0b111, 0b001, 0b001],
  5: [0b111, 0b100, 0b111, 0b001, 0b111],
  6: [0b111, 0b100, 0b111, 0b101, 0b111],
  7: [0b111, 0b001, 0b010, 0b010, 0b010],
  8: [0b111, 0b101, 0b111, 0b101, 0b111],
  9: [0b111, 0b101, 0b111, 0b001, 0b111],
};
const GLYPH_WIDTH = 3;
const GLYPH_HEIGHT = 5;

type Color = readonly [red: number, green: number, blue: number];
const WHITE: Color = [255, 255, 255];
/** Told apart from each other and from the usual colours of apps; neighbours get different ones. */
const COLORS: readonly Color[] = [
  [200, 0, 80],
  [0, 90, 200],
  [0, 120, 40],
  [140, 60, 0],
  [110, 0, 160],
];

/** Draws a frame with a label around each place, into the pixels themselves. */
export function drawMarks(pixels: Pixels, marks: readonly Mark[]): void {
  // As large as a person reads it on a picture of that size.
  const unit = Math.max(2, Math.round(Math.max(pixels.width, pixels.height) / 500));
  const seen = marks.filter(
    ({ bounds: [l, t, r, b] }) => r > 0 && b > 0 && l < pixels.width && t < pixels.height,
  );
  for (const [index, { bounds, label }] of seen.entries()) {
    const color = COLORS[index % COLORS.length] ?? WHITE;
    frame(pixels, bounds, Math.max(1, unit - 1), color);
    write(pixels, bounds, label, unit, color);
  }
}

function fill({ width, height, data }: Pixels, [l, t, r, b]: Bounds, color: Color): void {
  const right = Math.min(width, Math.round(r));
  const bottom = Math.min(height, Math.round(b));
  for (let y = Math.max(0, Math.round(t)); y < bottom; y += 1)
    for (let x = Math.max(0, Math.round(l)); x < right; x += 1)
      data.set([...color, 255], (y * width + x) * 4);
}

function frame(pixels: Pixels, [l, t, r, b]: Bounds, thick: number, color: Color): void {
  fill(pixels, [l, t, r, t + thick], color);
  fill(pixels, [l, b - thick, r, b], color);
  fill(pixels, [l, t, l + thick, b], color);
  fill(pixels, [r - thick, t, r, b], color);
}

/** The label on its own ground, in the place's top left corner, moved in where that is off the picture. */
function write(pixels: Pixels, [l, t]: Bounds, label: string, unit: number, color: Color): void {
  const width = (label.length * (GLYPH_WIDTH + 1) + 1) * unit;
  const height = (GLYPH_HEIGHT + 2) * unit;
  const left = Math.max(0, Math.min(l, pixels.width - width));
  const top = Math.max(0, Math.min(t, pixels.height - height));
  fill(pixels, [left, top, left + width, top + height], color);
  for (const [index, character] of label.split('').entries()) {
    const x = left + unit + index * (GLYPH_WIDTH + 1) * unit;
    for (const [row, bits] of (GLYPHS[character] ?? []).entries())
      for (let column = 0; column < GLYPH_WIDTH; column += 1)
        if (bits & (1 << (GLYPH_WIDTH - 1 - column))) {
          const from = [x + column * unit, top + (row + 1) * unit] as const;
          fill(pixels, [from[0], from[1], from[0] + unit, from[1] + unit], WHITE);
        }
  }
}
