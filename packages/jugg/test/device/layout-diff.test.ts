import { expect, test } from 'vitest';
import { diffLayouts } from '../../src/device/layout-diff.ts';

const before = `window activity "a" focused
  e1 DecorView [0,0,411,914]
    e2 TextView "Count: 0" [0,0,99,48]
    e3 Button "Add" [0,50,99,98] clickable`;

test('new, changed and gone lines are told, and no others', () => {
  const after = `window activity "a" focused
window dialog "d"
  e1 DecorView [0,0,411,914]
      e2 TextView "Count: 1" [0,0,99,48]
    e10 Button "Reset" [0,50,99,98] clickable`;
  expect(diffLayouts(before, after).split('\n')).toEqual([
    '+ window dialog "d"',
    '~ e2 TextView "Count: 1" [0,0,99,48]',
    '+ e10 Button "Reset" [0,50,99,98] clickable',
    '- e3 Button "Add" [0,50,99,98] clickable',
  ]);
});

test('the same is nothing', () => {
  expect(diffLayouts(before, before)).toBe('nothing has changed');
});
