import { expect, test } from 'vitest';
import { isOlder } from '../../src/shared/version.ts';

test.each([
  ['0.1.0', '0.1.1', true],
  ['0.9.0', '0.10.0', true],
  ['1.0.0-beta.1', '1.0.0', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.0-beta.1', false],
  ['2.0.0', '1.9.9', false],
  // Not a version of ours: never asked to make room.
  ['dev', '1.0.0', false],
])('%s is older than %s: %s', (one, other, older) => {
  expect(isOlder(one, other)).toBe(older);
});
