import { describe, expect, test } from 'vitest';
import { parseRText, rClassSource } from '../../src/engine/stages/r-class.ts';
import { declaredSymbols } from '../../src/engine/stages/resource-symbols.ts';

const R_TEXT = [
  'int attr stepColor 0x7f010000',
  'int id add 0x7f020000',
  'int id more 0x7f020001',
  'int[] styleable Bar { 0x7f010000, 0x0101009a }',
  'int styleable Bar_stepColor 0',
  'int styleable Bar_android_textColor 1',
  'int[] styleable Bar_Wide { 0x7f010000 }',
  'int styleable Bar_Wide_stepColor 0',
  '',
].join('\n');

describe('R classes', () => {
  const symbols = parseRText(R_TEXT);

  test('hold the names that belong to them, indexes with their styleable', () => {
    const owned = new Set(['id/add', 'styleable/Bar']);
    const source = rClassSource('a.b', symbols, (symbol) => owned.has(symbol), true);
    expect(source).toContain('package a.b;');
    expect(source).toContain('public static int add = 0x7f020000;');
    expect(source).toContain('public static final int[] Bar = { 0x7f010000, 0x0101009a };');
    expect(source).toContain('public static final int Bar_android_textColor = 1;');
    expect(source).not.toContain('more');
    expect(source).not.toContain('Wide');
    expect(source).not.toContain('class attr');
  });

  test('are constants where the project wants them', () => {
    expect(rClassSource('a', symbols, () => true, false)).toContain(
      'public static final int add = 0x7f020000;',
    );
  });

  test('a new name moves no other line', () => {
    const lines = (text: string): string[] =>
      rClassSource('a', parseRText(text), () => true, true).split('\n');
    const [before, after] = [lines(R_TEXT), lines(`int id another 0x7f020002\n${R_TEXT}`)];
    expect(before).toHaveLength(after.length);
    expect(before.filter((line, index) => line !== after[index])).toHaveLength(1);
  });
});

describe('names that a file declares', () => {
  const values = (body: string): string[] =>
    declaredSymbols('/res/values-de/x.xml', `<resources>${body}</resources>`);

  test.each([
    ['<string name="a">x</string>', ['string/a']],
    ['<string-array name="a"><item>x</item></string-array>', ['array/a']],
    ['<plurals name="a"><item quantity="one">x</item></plurals>', ['plurals/a']],
    ['<style name="A.B"><item name="c">1</item></style>', ['style/A.B']],
    ['<item name="a" type="id"/>', ['id/a']],
    [
      '<declare-styleable name="S"><attr name="a"/><attr name="android:b"/></declare-styleable>',
      ['styleable/S', 'attr/a'],
    ],
    ['<attr name="m"><enum name="one" value="1"/></attr>', ['attr/m', 'id/one']],
    ['<public name="a" type="string"/><eat-comment/>', []],
    ['<string name="a">cut', ['string/a']],
  ])('%s', (body, expected) => {
    expect(values(body)).toEqual(expected);
  });

  test('of files that are a resource themselves', () => {
    const layout = '<View android:id="@+id/one" android:layout_below="@+id/two" x="@id/three"/>';
    expect(declaredSymbols('/res/layout-land/main.xml', layout)).toEqual(['layout/main', 'id/one', 'id/two']);
    expect(declaredSymbols('/res/drawable-hdpi/pic.9.png', null)).toEqual(['drawable/pic']);
  });
});
