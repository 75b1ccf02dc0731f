import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toArguments } from '../../src/cli/arguments.ts';
import { commandTable } from '../../src/cli/generate-table.ts';

function options(tool: string) {
  const command = commandTable().commands.find((one) => one.name === tool);
  if (!command) throw new Error(`no command ${tool}`);
  return command.options;
}

describe('options of the command line', () => {
  test('come from the schema, with the fields of a target as their own', () => {
    expect(options('view-locate').map((option) => option.flag)).toEqual([
      '--package',
      '--target-text',
      '--target-resource-id',
      '--target-content-desc',
      '--target-class-name',
      '--target-test-tag',
      '--target-ref',
      '--target-text-contains',
      '--target-text-matches',
      '--visible-only',
      '--max-results',
    ]);
  });

  test('become the arguments of the call', async () => {
    const given = { targetText: '5', targetResourceId: 'add', maxResults: '3', visibleOnly: 'false' };
    expect(await toArguments(options('view-locate'), given)).toEqual({
      ok: true,
      value: { target: { text: '5', resourceId: 'add' }, maxResults: 3, visibleOnly: false },
    });
  });

  test('take JSON, a file with JSON, or a plain word where the schema takes more than a word', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'jugg-args-'));
    await writeFile(join(dir, 's.json'), '["A","B"]');
    expect(await toArguments(options('deploy'), { serials: `@${join(dir, 's.json')}` })).toEqual({
      ok: true,
      value: { serials: ['A', 'B'] },
    });
    expect(await toArguments(options('tap'), { space: '{"width":100,"height":200}' })).toEqual({
      ok: true,
      value: { space: { width: 100, height: 200 } },
    });
    expect(await toArguments(options('tap'), { space: 'device' })).toEqual({
      ok: true,
      value: { space: 'device' },
    });
    await rm(dir, { recursive: true });
  });

  test.each([
    ['tap', { x: 'ten' }, /--x: got "ten", expected a number/],
    ['tap', { x: ' ' }, /--x/],
    ['deploy', { serials: '[1,' }, /--serials: got \[1,, expected JSON or @file/],
    ['deploy', { serials: '@/no/such' }, /no readable file/],
    ['deploy', { allowGradle: 'maybe' }, /--allow-gradle: got "maybe", expected true or false/],
  ])('that cannot be read are refused: %s %j', async (tool, given, message) => {
    expect(await toArguments(options(tool), given)).toMatchObject({
      ok: false,
      fault: { code: 'INVALID_PARAMS', message: expect.stringMatching(message) },
    });
  });
});
