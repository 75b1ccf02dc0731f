import { expect, test } from 'vitest';
import { keyArgument } from '../../src/device/keys.ts';

test.each([
  ['BACK', 'KEYCODE_BACK'],
  ['back', 'KEYCODE_BACK'],
  ['KEYCODE_DPAD_DOWN', 'KEYCODE_DPAD_DOWN'],
  [66, '66'],
  ['66', '66'],
  [' tab ', 'KEYCODE_TAB'],
])('%j is %s', (key, argument) => {
  expect(keyArgument(key)).toEqual({ ok: true, value: argument });
});

test.each(['', '-1', -1, 99_999, 'BACK; reboot', 'ü', '1.5', '--longpress'])('%j is no key', (key) => {
  expect(keyArgument(key)).toMatchObject({ ok: false, fault: { code: 'INVALID_PARAMS' } });
});
