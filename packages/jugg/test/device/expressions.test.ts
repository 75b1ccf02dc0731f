import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../src/device/expressions.ts';
import { valueOf } from '../engine/support.ts';

describe('what is understood', () => {
  test.each([
    ['width', [{ name: 'width', call: false }]],
    ['getWidth()', [{ name: 'getWidth', call: true }]],
    [
      ' text.length( ) ',
      [
        { name: 'text', call: false },
        { name: 'length', call: true },
      ],
    ],
    [
      'getPaint.getTextSize',
      [
        { name: 'getPaint', call: false },
        { name: 'getTextSize', call: false },
      ],
    ],
    ['getChildAt(0)', [{ name: 'getChildAt', call: true, arg: 0 }]],
    ['canScrollVertically(-1)', [{ name: 'canScrollVertically', call: true, arg: -1 }]],
    ['getX(1.5f)', [{ name: 'getX', call: true, arg: 1.5 }]],
    ['getX(10L)', [{ name: 'getX', call: true, arg: 10 }]],
    ['getX(true)', [{ name: 'getX', call: true, arg: true }]],
    ['get("a.b(c)")', [{ name: 'get', call: true, arg: 'a.b(c)' }]],
    [String.raw`get('it\'s \n \\')`, [{ name: 'get', call: true, arg: "it's \n \\" }]],
    [
      'layoutParams.width.toString()',
      [
        { name: 'layoutParams', call: false },
        { name: 'width', call: false },
        { name: 'toString', call: true },
      ],
    ],
    ['m_a$1', [{ name: 'm_a$1', call: false }]],
  ])('%s', (text, steps) => {
    expect(valueOf(parseExpression(text))).toEqual(steps);
  });
});

describe('what is refused, and why', () => {
  test.each([
    ['', 'expected a name at the end'],
    ['a..b', 'expected a name at ".b" (column 3)'],
    ['a.', 'expected a name at the end'],
    ['1a', 'expected a name'],
    ['performClick()', 'performClick() may not be called'],
    ['getParent().removeView(1)', 'removeView() may not be called'],
    ['island()', 'island() may not be called'],
    ['getX(1, 2)', 'at most one argument'],
    ['getX(a)', 'expected a number, a text in quotes'],
    ['getX("a', 'expected a number, a text in quotes'],
    ['getX(1', 'then ")" at the end'],
    ['a b', 'expected a dot at " b" (column 2)'],
    ['a()()', 'may not be called'],
    ['getA()()', 'expected a dot'],
    ['new Foo()', 'expected a dot'],
    ['a+b', 'expected a dot'],
    ['a.b.c.d.e.f', 'has 6 links, at most 5'],
    [`get("${'x'.repeat(400)}")`, 'longer than 300'],
  ])('%s', (text, why) => {
    const parsed = parseExpression(text);
    expect(parsed).toMatchObject({ ok: false, fault: { code: 'INVALID_PARAMS' } });
    expect(parsed.ok ? '' : parsed.fault.message).toContain(why);
  });
});
