import { readFileSync } from 'node:fs';
import { z } from 'zod';

const fileSchema = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      input: z.record(z.string(), z.unknown()),
      expect: z.record(z.string(), z.unknown()),
    }),
  ),
});

export type FieldCase = z.infer<typeof fileSchema>['cases'][number];

/** The cases of one area, as `[title, case]` pairs for `test.each`. */
export function fieldCases(area: string, ids?: readonly string[]): [string, FieldCase][] {
  const file = new URL(`../../../../test/field-cases/${area}.json`, import.meta.url);
  const { cases } = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return cases.filter((c) => !ids || ids.includes(c.id)).map((c) => [`${c.id} ${c.title}`, c]);
}

/** A text of the input, or `''`. */
export function text(of: FieldCase, key: string): string {
  const value = of.input[key];
  return typeof value === 'string' ? value : '';
}

/**
 * Where `actual` is not as expected, by the rules of the field cases' README: only listed fields must match, `null` is
 * null or absent, placeholders stand for any value of a type; `...AnyOf`, `...Includes`, `...Excludes`, `...Max`.
 */
export function differences(actual: unknown, expected: unknown, path = '$'): string[] {
  const is = (right: boolean): string[] =>
    right ? [] : [`${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
  if (expected === null) return is((actual ?? null) === null);
  if (expected === '<array>') return is(Array.isArray(actual));
  if (expected === '<string>' || expected === '<number>') return is(typeof actual === expected.slice(1, -1));
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return is(false);
    const list: readonly unknown[] = actual;
    return expected.flatMap((value, i) => differences(list[i], value, `${path}[${i}]`));
  }
  if (typeof expected === 'object') {
    if (typeof actual !== 'object' || actual === null) return is(false);
    const record: Record<string, unknown> = { ...actual };
    return Object.entries(expected).flatMap(([key, value]) =>
      keyDifferences(record, key, value, `${path}.${key}`),
    );
  }
  return is(actual === expected);
}

function keyDifferences(
  record: Record<string, unknown>,
  key: string,
  value: unknown,
  path: string,
): string[] {
  const is = (right: boolean, actual: unknown): string[] =>
    right ? [] : [`${path}: ${JSON.stringify(actual)}, wanted ${JSON.stringify(value)}`];
  const base = key.replace(/(AnyOf|Includes|Excludes|Max)$/, '');
  const has = record[base] ?? null;
  if (key.endsWith('AnyOf') && Array.isArray(value))
    return is(
      value.some((option) => differences(has, option).length === 0),
      has,
    );
  if (/(Includes|Excludes)$/.test(key)) {
    const holds = (one: unknown): boolean =>
      Array.isArray(has) ? has.includes(one) : typeof has === 'string' && has.includes(String(one));
    const wanted: readonly unknown[] = Array.isArray(value) ? value : [value];
    return is(
      wanted.every((one) => holds(one) === key.endsWith('Includes')),
      has,
    );
  }
  if (/Max$|WithinMs$|^maxMs$|^maxTotalMs$|^byMs$|^bytesMax$/.test(key)) {
    const number = Number(record[key] ?? has);
    return is(number <= Number(value), number);
  }
  return differences(record[key], value, path);
}
