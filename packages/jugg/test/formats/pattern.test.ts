import { describe, expect, test } from 'vitest';
import { patternTest } from '../../src/formats/pattern.ts';

function matches(pattern: string, text: string): boolean {
  const compiled = patternTest(pattern, 'marker');
  if (!compiled.ok) throw new Error(compiled.fault.message);
  return compiled.value(text);
}

describe("a client's regular expression", () => {
  test.each([
    ['READY', 'COUNTER_READY now', true],
    ['^ready', 'COUNTER_READY', false],
    ['\\d+ ms', 'took 17 ms', true],
    ['a\\-b\\_c', 'a-b_c', true],
    ['(?<word>é+)$', 'caféé', true],
    ['\\p{L}+', '漢字', true],
    ['a{', 'a{', true],
  ])('%s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  // With a backtracking engine this takes longer than anybody lives.
  test('takes no more time than the text is long', () => {
    expect(matches('^.*(a+)+$', `${'a'.repeat(2000)}!`)).toBe(false);
  });

  test.each([
    ['(', /missing closing \)/],
    ['(?=a)', /Lookaround and back references are not supported/],
    ['(a)\\1', /Lookaround and back references are not supported/],
    ['a'.repeat(50_000), /got 50000 characters, expected at most 1000/],
  ])('%.10s… is told to be none', (pattern, said) => {
    expect(patternTest(pattern, 'marker')).toMatchObject({
      ok: false,
      fault: { code: 'INVALID_REGEX', message: expect.stringMatching(said), data: { argument: 'marker' } },
    });
  });
});
