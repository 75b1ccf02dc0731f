import { z } from 'zod';

/** How an activity wants the screen to be turned; `any` for as the user has it. */
export const orientationSchema = z.enum([
  'any',
  'portrait',
  'landscape',
  'reverse-portrait',
  'reverse-landscape',
]);
export type Orientation = z.infer<typeof orientationSchema>;

export type Rotation = 0 | 1 | 2 | 3;

/** The rotation for a wish, near the user's where it does not matter (AOSP `DisplayRotation.rotationForOrientation`). */
export function rotationFor(
  wanted: Orientation,
  user: Rotation,
  [width, height]: readonly [width: number, height: number],
): Rotation {
  if (wanted === 'any') return user;
  const isReverse = wanted.startsWith('reverse');
  const isUpright = wanted.endsWith('portrait') === height >= width;
  if (isUpright) return isReverse ? 2 : user === 2 ? 2 : 0;
  return isReverse ? 3 : user === 3 ? 3 : 1;
}
