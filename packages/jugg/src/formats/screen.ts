import { fail, ok, type Result } from '../shared/outcome.ts';

export type Rotation = 0 | 1 | 2 | 3;

/** Reads `wm size`: `[width, height]` in px in the natural orientation; an override wins. */
export function parseWmSize(output: string): readonly [width: number, height: number] | null {
  const found = /Override size: (\d+)x(\d+)/.exec(output) ?? /Physical size: (\d+)x(\d+)/.exec(output);
  return found ? [Number(found[1]), Number(found[2])] : null;
}

/** Reads `wm density`: dots per inch in use; an override wins. */
export function parseWmDensity(output: string): number | null {
  const found = /Override density: (\d+)/.exec(output) ?? /Physical density: (\d+)/.exec(output);
  return found ? Number(found[1]) : null;
}

/** The size in the current rotation: `wm size` always tells the natural orientation. */
export function rotatedSize(
  [width, height]: readonly [number, number],
  rotation: Rotation,
): readonly [number, number] {
  return rotation % 2 === 1 ? [height, width] : [width, height];
}

/** Reads the rotation from `dumpsys display`, `dumpsys window displays` or `dumpsys input`. */
export function parseRotation(output: string): Rotation | null {
  const found =
    /\bmCurrentOrientation=(\d)/.exec(output) ??
    /\bmRotation=(?:ROTATION_)?(\d+)/.exec(output) ??
    /\brotation[= ](?:ROTATION_)?(\d+)/.exec(output) ??
    /SurfaceOrientation: (\d)/.exec(output);
  if (!found) return null;
  const number = Number(found[1]);
  const turns = number >= 90 ? number / 90 : number;
  return turns === 1 || turns === 2 || turns === 3 ? turns : 0;
}

export interface PointInput {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  /** 0..100 */
  readonly xPercent?: number | undefined;
  readonly yPercent?: number | undefined;
  /** Size of the picture that `x` and `y` were read from; px of the screen when missing. */
  readonly picture?: { readonly width: number; readonly height: number } | undefined;
}

/**
 * A point in px of the current rotation. Fractions are rounded, 100 percent is the last pixel, and what lies outside
 * is `INVALID_PARAMS`: the device would take it without a word.
 */
export function screenPoint(
  point: PointInput,
  [width, height]: readonly [number, number],
): Result<readonly [x: number, y: number]> {
  const axis = (
    px: number | undefined,
    percent: number | undefined,
    size: number,
    picture?: number,
  ): number =>
    percent !== undefined
      ? Math.round((percent / 100) * (size - 1))
      : Math.round(((px ?? Number.NaN) * size) / (picture ?? size));
  const x = axis(point.x, point.xPercent, width, point.picture?.width);
  const y = axis(point.y, point.yPercent, height, point.picture?.height);
  if (Number.isNaN(x) || Number.isNaN(y)) return fail('INVALID_PARAMS', 'x, y: both are needed.');
  if (x < 0 || y < 0 || x >= width || y >= height)
    return fail(
      'INVALID_PARAMS',
      `x, y: (${x}, ${y}) lies outside of the screen, which is ${width}x${height} px.`,
      {
        data: { screen: { width, height } },
      },
    );
  return ok([x, y]);
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export interface FoundPng {
  readonly width: number;
  readonly height: number;
  /** Number of bytes of other text before it (foldables print a warning to the same stream). */
  readonly offset: number;
}

/** Finds the picture in what `screencap -p` wrote; `null` when there is none. */
export function findPng(bytes: Uint8Array): FoundPng | null {
  const offset = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(Buffer.from(PNG));
  // Signature, chunk length and name, then width and height (PNG specification, 11.2.2).
  if (offset < 0 || bytes.byteLength < offset + 24) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset);
  return { width: view.getUint32(16), height: view.getUint32(20), offset };
}

/** Reads `mWakefulness` from `dumpsys power`. */
export function parseWakefulness(output: string): string | null {
  return /^\s*mWakefulness=(\w+)/m.exec(output)?.[1] ?? null;
}

/** Whether the lock screen hides the app, from `dumpsys window` (policy or keyguard part). */
export function parseKeyguard(output: string): boolean {
  const showing = /\b(?:mShowingLockscreen|mKeyguardShowing|isKeyguardShowing|mShowing|showing)=true\b/.test(
    output,
  );
  const occluded = /\b(?:mOccluded|mKeyguardOccluded|occluded)=true\b/i.test(output);
  return showing && !occluded;
}
