import { describe, expect, test } from 'vitest';
import {
  affectedSources,
  changedFaces,
  type ChangedClass,
  type ClassNode,
} from '../../src/engine/effects.ts';
import { readJavaSource } from '../../src/engine/java-source.ts';

/** `shown` are those of the references that are part of its signatures. */
const node = (
  name: string,
  references: string[] = [],
  superName = 'java.lang.Object',
  shown: string[] = [],
): ClassNode => ({
  name,
  superName,
  interfaces: [],
  references: [...references, ...shown],
  shown,
});
const change = (name: string, more: Partial<ChangedClass> = {}): ChangedClass => ({
  name,
  kind: 'changed',
  constants: [],
  spreads: true,
  ...more,
});

/** Sources `X.java` with the class `p.X` each; `words` are further identifiers of a source. */
function affected(
  changed: ChangedClass[],
  classes: ClassNode[],
  words: Record<string, string[]> = {},
): string[] {
  const sources = classes.map(({ name }) => ({
    file: `${name.slice(2)}.java`,
    classes: [name],
    identifiers: new Set(words[name] ?? []),
  }));
  return [...affectedSources(changed, classes, sources).keys()].sort();
}

describe('who must be compiled again', () => {
  test('nobody when nothing changed its face', () => {
    expect(affected([], [node('p.A'), node('p.B', ['p.A'])])).toEqual([]);
  });

  test('who mentions a changed class', () => {
    expect(affected([change('p.A')], [node('p.A'), node('p.B', ['p.A']), node('p.C')])).toEqual(['B.java']);
  });

  test('who uses a class below a changed one, which its class file does not mention', () => {
    const classes = [node('p.Base'), node('p.Sub', [], 'p.Base'), node('p.User', ['p.Sub'])];
    expect(affected([change('p.Base')], classes)).toEqual(['Sub.java', 'User.java']);
  });

  test('who gets a changed class through the signature of another', () => {
    const shop = node('p.Shop', [], undefined, ['p.Item']);
    const classes = [node('p.Item'), shop, node('p.Page', ['p.Shop']), node('p.Book', ['p.Page'])];
    expect(affected([change('p.Item')], classes)).toEqual(['Page.java', 'Shop.java']);
  });

  test('who gets it from far', () => {
    const classes = [
      node('p.Item'),
      node('p.Shop', [], undefined, ['p.Item']),
      node('p.Mall', [], 'p.Shop'),
      node('p.Town', [], undefined, ['p.Mall']),
      node('p.Page', ['p.Town']),
    ];
    const all = ['Mall.java', 'Page.java', 'Shop.java', 'Town.java'];
    expect(affected([change('p.Item')], classes)).toEqual(all);
  });

  test('circles end', () => {
    const classes = [
      node('p.A', [], undefined, ['p.B']),
      node('p.B', [], undefined, ['p.A']),
      node('p.C', ['p.B']),
    ];
    expect(affected([change('p.A')], classes)).toEqual(['A.java', 'B.java', 'C.java']);
  });

  test('who writes the name of a constant, of which the class file keeps no trace', () => {
    const classes = [node('p.Limits'), node('p.User'), node('p.Other')];
    const changed = [change('p.Limits', { constants: ['MAX'] })];
    expect(affected(changed, classes, { 'p.User': ['MAX'], 'p.Other': ['MIN'] })).toEqual(['User.java']);
  });

  test('who writes the simple name of a class that came or went', () => {
    const classes = [node('p.User'), node('p.Other')];
    const words = { 'p.User': ['Inner'] };
    expect(affected([change('q.Outer$Inner', { kind: 'added' })], classes, words)).toEqual(['User.java']);
    expect(affected([change('q.Outer$Inner', { kind: 'removed' })], classes, words)).toEqual(['User.java']);
    expect(affected([change('q.Outer$Inner')], classes, words)).toEqual([]);
  });

  test('only direct users of an R class', () => {
    const classes = [node('p.User', ['p.R$id']), node('p.Other', ['p.User'])];
    const [changed] = changedFaces(
      new Map([['p.R$id', { abi: '1', constants: [] }]]),
      new Map([['p.R$id', { abi: '2', constants: [] }]]),
    );
    expect(affected(changed ? [changed] : [], classes)).toEqual(['User.java']);
  });
});

test('faces are compared by name', () => {
  const face = (abi: string, ...constants: string[]): { abi: string; constants: string[] } => ({
    abi,
    constants,
  });
  const before = new Map([
    ['same', face('1')],
    ['other', face('1', 'OLD')],
    ['gone', face('1')],
  ]);
  const after = new Map([
    ['same', face('1')],
    ['other', face('2', 'NEW')],
    ['fresh', face('1')],
  ]);
  expect(changedFaces(before, after)).toMatchObject([
    { name: 'other', kind: 'changed', constants: ['OLD', 'NEW'] },
    { name: 'fresh', kind: 'added' },
    { name: 'gone', kind: 'removed' },
  ]);
});

test.each([
  ['package a.b;\nclass X {}', 'a.b'],
  ['// package no;\n/* package no2; */ package a . b ;', 'a.b'],
  ['@Deprecated package über.ä;', 'über.ä'],
  ['class X { String s = "package no;"; }', ''],
  ['', ''],
])('the package of %j', (text, expected) => {
  expect(readJavaSource(text).packageName).toBe(expected);
});
