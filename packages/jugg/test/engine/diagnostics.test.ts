import { expect, test } from 'vitest';
import { mostUseful, usefulFailure } from '../../src/engine/diagnostics.ts';
import { compileError, diagnosticsOf } from '../../src/engine/stages/compile-failure.ts';
import type { Diagnostic } from '../../src/engine/types.ts';
import { fail } from '../../src/shared/outcome.ts';

const at = (file: string, line: number, severity: Diagnostic['severity'] = 'error'): Diagnostic => ({
  severity,
  tool: 'javac',
  file,
  line,
  column: 1,
  message: `${file} ${line}`,
});

test('errors in changed files come first, warnings last, each once', () => {
  const told = [
    at('/user', 1),
    at('/cause', 9, 'warning'),
    at('/cause', 2),
    at('/cause', 2),
    at('/user', 3, 'warning'),
  ];
  expect(mostUseful(told, new Set(['/cause'])).map(({ message }) => message)).toEqual([
    '/cause 2',
    '/user 1',
    '/cause 9',
    '/user 3',
  ]);
});

test('no more than a hundred', () => {
  const many = Array.from({ length: 300 }, (_, index) => at('/user', index, 'warning'));
  const useful = mostUseful([...many, at('/user', 7)], new Set());
  expect(useful).toHaveLength(100);
  expect(useful[0]).toMatchObject({ severity: 'error' });
});

test('the message of a failure names the first of them', () => {
  const failure = usefulFailure(compileError([at('/user', 1), at('/cause', 2)]), new Set(['/cause']));
  expect(failure.ok ? '' : failure.fault.message).toContain('/cause:2: ');
  expect(failure.ok ? [] : diagnosticsOf(failure.fault)).toHaveLength(2);
  const other = fail('CANCELED', 'no');
  expect(usefulFailure(other, new Set())).toBe(other);
});
