import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../src/actions/arguments.ts';
import { findAction } from '../../src/actions/registry.ts';

function problem(tool: string, args: unknown): string {
  const action = findAction(tool);
  if (!action) throw new Error(`no tool ${tool}`);
  const parsed = parseArguments(action, args);
  if (parsed.ok) throw new Error('accepted');
  expect(parsed.fault.code).toBe('INVALID_PARAMS');
  return parsed.fault.message;
}

describe('arguments', () => {
  test.each([
    ['compile', {}, /projectDir: it is missing, expected a string/],
    ['compile', { projectDir: 5 }, /projectDir: got 5, expected a string/],
    [
      'compile',
      { projectDir: '/p', modul: 'app' },
      /compile does not take "modul"; it takes projectDir, module, variant, allowGradle, timeoutMs/,
    ],
    ['deploy', { projectDir: '/p', serials: [] }, /serials: got \[\], expected at least 1 entries/],
    ['deploy', { projectDir: '/p', serials: ['a', 7] }, /serials\[1\]: got 7, expected a string/],
    ['tap', { projectDir: '/p', target: {} }, /target: got \{\}, needs at least one of text/],
    [
      'tap',
      { projectDir: '/p', target: { txt: 'x' } },
      /target does not take "txt"; it takes text, resourceId/,
    ],
    [
      'tap',
      { projectDir: '/p', action: 'poke' },
      /action: got "poke", expected one of tap, long-press, swipe, drag/,
    ],
    ['list-jobs', { projectDir: '/p', limit: 51 }, /limit: got 51, expected at most 50/],
    ['list-jobs', { projectDir: '/p', limit: 1.5 }, /limit: got 1.5, expected a whole number/],
    [
      'get-compile-status',
      { projectDir: '/p', waitTimeoutMs: -1 },
      /waitTimeoutMs: got -1, expected at least 0/,
    ],
    ['version', { verbose: true }, /version does not take "verbose"; it takes no arguments/],
    ['compile', [], /arguments: got \[\], expected an object/],
    ['compile', 'x', /arguments: got "x", expected an object/],
  ])('%s %j', (tool, args, message) => {
    expect(problem(tool, args)).toMatch(message);
  });

  test('version and list-projects ignore a projectDir', () => {
    for (const name of ['version', 'list-projects']) {
      const action = findAction(name);
      expect(action && parseArguments(action, { projectDir: '/p' }).ok).toBe(true);
    }
  });
});
