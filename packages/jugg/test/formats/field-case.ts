import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
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
 * Compares as the field cases' README says: only listed fields must match, `null` is null or absent, placeholders
 * stand for any value of a type, and `…AnyOf`, `…Includes`, `…Excludes`, `…Max` have their meanings.
 */
export function match(actual: unknown, expected: unknown, path = '$'): void {
  if (expected === null) return expect(actual ?? null, path).toBeNull();
  if (expected === '<string>') return expect(typeof actual, path).toBe('string');
  if (expected === '<number>') return expect(typeof actual, path).toBe('number');
  if (expected === '<array>') return expect(Array.isArray(actual), path).toBe(true);
  if (Array.isArray(expected)) {
    expect(Array.isArray(actual), `${path} is an array`).toBe(true);
    const list: readonly unknown[] = Array.isArray(actual) ? actual : [];
    expect(list.length, `${path}.length`).toBe(expected.length);
    for (const [i, value] of expected.entries()) match(list[i], value, `${path}[${i}]`);
    return;
  }
  if (typeof expected === 'object') {
    const record: Record<string, unknown> =
      typeof actual === 'object' && actual !== null ? { ...actual } : {};
    expect(typeof actual, `${path} is an object`).toBe('object');
    for (const [key, value] of Object.entries(expected)) matchKey(record, key, value, `${path}.${key}`);
    return;
  }
  expect(actual, path).toEqual(expected);
}

function matchKey(record: Record<string, unknown>, key: string, value: unknown, path: string): void {
  if (key.endsWith('AnyOf') && Array.isArray(value)) {
    const actual = record[key.slice(0, -'AnyOf'.length)] ?? null;
    expect(
      value.some((option) => JSON.stringify(option) === JSON.stringify(actual)),
      `${path} has ${JSON.stringify(actual)}`,
    ).toBe(true);
  } else if (/Max$|WithinMs$|^maxMs$|^maxTotalMs$|^byMs$|^bytesMax$/.test(key)) {
    expect(record[key.replace(/Max$/, '')] ?? record[key], path).toBeLessThanOrEqual(Number(value));
  } else match(record[key], value, path);
}
