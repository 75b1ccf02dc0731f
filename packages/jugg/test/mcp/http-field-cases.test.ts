import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FrontFixture, type Answer } from './http-fixture.ts';

const caseShape = z.object({
  id: z.string(),
  title: z.string(),
  input: z.object({
    port: z.number(),
    request: z.object({
      method: z.string(),
      target: z.string(),
      headers: z.array(z.tuple([z.string(), z.string()])),
      body: z.string().optional(),
      bodyBase64: z.string().optional(),
    }),
    variants: z.record(z.string(), z.array(z.string().nullable())).optional(),
    toolTextChars: z.number().optional(),
  }),
  expect: z.object({
    status: z.number().optional(),
    statusAnyOf: z.array(z.number()).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    headersAbsent: z.array(z.string()).optional(),
    contentType: z.string().optional(),
    body: z.record(z.string(), z.unknown()).optional(),
    bodyEmpty: z.boolean().optional(),
    bodyExcludes: z.array(z.string()).optional(),
    toolRan: z.boolean().optional(),
    resultMaxChars: z.number().optional(),
    fullTextInFile: z.boolean().optional(),
  }),
});
type Case = z.output<typeof caseShape>;

const file = new URL('../../../../test/field-cases/mcp-http.json', import.meta.url);
const { cases } = z.object({ cases: z.array(caseShape) }).parse(JSON.parse(readFileSync(file, 'utf8')));

/** One request for each value of the variants, or the one that is there. */
function requests({ input }: Case): readonly string[] | readonly Buffer[] {
  const { method, headers, target, body, bodyBase64 } = input.request;
  const bytes = bodyBase64 === undefined ? Buffer.from(body ?? '') : Buffer.from(bodyBase64, 'base64');
  const [name, values] = Object.entries(input.variants ?? {})[0] ?? ['', [undefined]];
  return values.map((value) => {
    const kept = headers.filter(
      ([header]) => value === undefined || header.toLowerCase() !== name.toLowerCase(),
    );
    const changed: [string, string][] =
      name === 'target' || typeof value !== 'string' ? kept : [...kept, [name, value]];
    const length: [string, string][] = changed.some(([header]) => header.toLowerCase() === 'content-length')
      ? []
      : [['Content-Length', String(bytes.length)]];
    const path = name === 'target' && typeof value === 'string' ? value : target;
    const head = [
      `${method} ${path} HTTP/1.1`,
      ...[...changed, ...length].map(([header, text]) => `${header}: ${text}`),
    ];
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
  });
}

/** `<array>` stands for any value of that type; objects are compared by the listed fields. */
function matches(actual: unknown, wanted: unknown): void {
  if (typeof wanted === 'string' && /^<\w+>$/.test(wanted)) {
    const type = wanted.slice(1, -1);
    expect(
      type === 'array' ? Array.isArray(actual) : typeof actual === type,
      `${JSON.stringify(actual)} is ${wanted}`,
    ).toBe(true);
  } else if (typeof wanted === 'object' && wanted !== null) {
    expect(typeof actual).toBe('object');
    for (const [key, value] of Object.entries(wanted)) matches(Reflect.get(Object(actual), key), value);
  } else {
    expect(actual).toEqual(wanted);
  }
}

function check({ expect: wanted }: Case, answer: Answer, fixture: FrontFixture): void {
  if (wanted.status !== undefined) expect(answer.status).toBe(wanted.status);
  if (wanted.statusAnyOf) expect(wanted.statusAnyOf).toContain(answer.status);
  for (const [name, value] of Object.entries(wanted.headers ?? {}))
    expect(answer.headers.get(name)).toBe(value);
  for (const name of wanted.headersAbsent ?? []) expect(answer.headers.has(name)).toBe(false);
  if (wanted.contentType) expect(answer.headers.get('content-type')?.split(';')[0]).toBe(wanted.contentType);
  if (wanted.body) matches(JSON.parse(answer.body), wanted.body);
  if (wanted.bodyEmpty) expect(answer.body).toBe('');
  for (const text of wanted.bodyExcludes ?? []) expect(answer.body).not.toContain(text);
  if (wanted.toolRan === false) expect(fixture.ran).toEqual([]);
  if (wanted.resultMaxChars !== undefined) {
    const { result } = JSON.parse(answer.body);
    expect(result.content[0].text.length).toBeLessThanOrEqual(wanted.resultMaxChars);
    expect(result.structuredContent.artifacts.length > 0).toBe(wanted.fullTextInFile);
  }
}

let fixture: FrontFixture;
beforeEach(async () => {
  fixture = new FrontFixture(12_320);
  await fixture.listen();
});
afterEach(() => fixture.close());

describe('field cases of MCP over HTTP', () => {
  test.each(cases.map((one) => [`${one.id} ${one.title}`, one] as const))('%s', async (_name, one) => {
    fixture.toolTextChars = one.input.toolTextChars ?? 0;
    for (const request of requests(one)) check(one, await fixture.raw(request), fixture);
  });
});
