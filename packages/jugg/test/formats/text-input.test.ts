import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine } from '../../src/adb/quote.ts';
import { inputArguments, inputResult, inputSteps } from '../../src/formats/text-input.ts';
import { bothStreams } from '../../src/formats/terminal.ts';
import { differences, fieldCases, text, type FieldCase } from './field-case.ts';

// The real `input` turns every %s of its one argument into a blank; this one also writes down what it got.
const INPUT = `#!/bin/sh
printf '%s\\0' "$@" >> "$RECORD"
`;

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'jugg-input-'));
  for (const tool of ['input', 'am']) await writeFile(join(dir, tool), INPUT, { mode: 0o755 });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Gives command lines to a POSIX shell as the device's, with the fake tools first on its path. */
async function run(commands: readonly (readonly string[])[]): Promise<string[][]> {
  const received: string[][] = [];
  for (const command of commands) {
    const record = join(dir, 'record');
    const line = commandLine(command);
    await execa('sh', ['-c', line], { cwd: dir, env: { PATH: `${dir}:/usr/bin:/bin`, RECORD: record } });
    received.push((await readFile(record, 'utf8')).split('\0').slice(0, -1));
    await rm(record);
  }
  return received;
}

interface Typed {
  readonly steps: readonly Record<string, string>[];
  readonly inputArgs: readonly string[];
  readonly typed: string;
}

async function type(wanted: string): Promise<Typed | { readonly error: string }> {
  const steps = inputSteps(wanted);
  if (!steps.ok) return { error: steps.fault.code };
  const got = await run(steps.value.map(inputArguments));
  const received = got.map(([verb = '', argument = '']): Record<string, string> =>
    verb === 'text' ? { text: argument.replaceAll('%s', ' ') } : { key: argument },
  );
  const letter: Record<string, string> = { KEYCODE_ENTER: '\n', KEYCODE_TAB: '\t' };
  return {
    steps: received,
    inputArgs: got.filter(([verb]) => verb === 'text').map(([, argument = '']) => argument),
    typed: received.map((step) => step['text'] ?? letter[step['key'] ?? ''] ?? '').join(''),
  };
}

async function answer(of: FieldCase): Promise<unknown> {
  const before = await readdir(dir);
  const result = await outcome(of);
  const created = (await readdir(dir)).filter((name) => !before.includes(name));
  return { ...result, hostFilesCreated: created };
}

async function outcome(of: FieldCase): Promise<object> {
  const extra: unknown = of.input['extra'];
  if (typeof extra === 'object' && extra !== null) {
    const [got = []] = await run([['am', 'broadcast', '--es', ...Object.entries(extra).flat().map(String)]]);
    return { extraReceived: { [got[2] ?? '']: got[3] } };
  }
  if (of.input['stderr'] !== undefined) {
    const output = bothStreams(text(of, 'stdout'), text(of, 'stderr'));
    const result = inputResult(output, Number(of.input['exitCode']));
    return { ok: result.ok, error: result.ok ? null : result.fault.code };
  }
  const texts = of.input['texts'];
  if (Array.isArray(texts)) {
    const all: unknown[] = [];
    for (const one of texts) {
      const got = await type(String(one));
      all.push('error' in got ? got.error : got.typed);
    }
    return { ok: true, typed: all };
  }
  const got = await type(text(of, 'text'));
  return 'error' in got
    ? { ok: false, error: got.error, commandsSent: 0 }
    : { ok: true, error: null, ...got };
}

test.each(fieldCases('text-input'))('%s', async (_, of) => {
  expect(differences(await answer(of), of.expect)).toEqual([]);
});
