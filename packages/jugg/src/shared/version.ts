/** The version of this build: that of `packages/jugg/package.json` (a test compares them). */
export const VERSION = '0.1.0';

/** Whether `one` came before `other`, both `major.minor.patch` with or without `-pre`; a pre-release is before its release. */
export function isOlder(one: string, other: string): boolean {
  const [a = '', preA] = one.split('-', 2);
  const [b = '', preB] = other.split('-', 2);
  const partsA = a.split('.').map(Number);
  const partsB = b.split('.').map(Number);
  for (const [index, part] of partsA.entries()) {
    const difference = part - (partsB[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return preA !== undefined && preB === undefined;
}
