import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BaselineFile } from '../../src/project/baseline-file.ts';
import type { Baseline } from '../../src/project/baseline-file.ts';
import type { Seen } from '../../src/project/changes.ts';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'jugg baseline ä-'));
  path = join(dir, 'baseline.json');
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

const seen = (hash: string): Seen => ({
  size: 1,
  mtimeMs: 1.5,
  ctimeMs: 2,
  ino: 3,
  hash,
  type: 'Java',
  settled: true,
});

/** With many classes, and these changed ones. */
function baseline(id: string, files: Record<string, string>, classes: Record<string, string>): Baseline {
  const many = Array.from({ length: 500 }, (_, at) => [`p.C${at}`, 'same'] as const);
  const named = { module: ':app', variant: 'debug' };
  return {
    projectDir: '/p',
    ...named,
    toolsId: 't',
    modelId: 'm',
    compiledAtMs: 1,
    snapshot: new Map(Object.entries(files).map(([file, hash]) => [file, seen(hash)])),
    state: {
      id,
      projectDir: '/p',
      ...named,
      applicationId: 'a',
      versionCode: 1,
      minSdk: 26,
      launcherActivity: null,
      debuggable: true,
      classes: new Map(
        [...many, ...Object.entries(classes)].map(([name, bytes]) => [
          name,
          { bytes, shape: 's', dex: `/d/${bytes}` },
        ]),
      ),
      resources: 'r',
      manifest: 'm',
      assets: 'a',
      libraries: 'l',
    },
    parts: { resourcesApk: `/r/${id}`, libraryDex: [], files: [] },
  };
}

const first = baseline('1', { a: 'x', b: 'y' }, { A: '1', B: '2' });
const second = baseline('2', { a: 'z', c: 'y' }, { A: '1', C: '3' });
const third = baseline('3', { a: 'z' }, { A: '4' });

async function loaded(): Promise<unknown> {
  const stored = await new BaselineFile(path, 1).load();
  return stored.ok ? stored.value : stored.reason;
}

test('what changed is appended, and what is loaded is the last one', async () => {
  const file = new BaselineFile(path, 1);
  await file.save(first);
  expect(await loaded()).toEqual(first);
  const { size, mtimeMs } = await stat(path);
  const stamp = await file.stamp();
  await file.save(second);
  expect(await file.stamp()).not.toBe(stamp);
  expect(await loaded()).toEqual(second);
  await file.save(third);
  expect(await loaded()).toEqual(third);
  expect(await stat(path)).toMatchObject({ size, mtimeMs });
  expect((await stat(`${path}.steps`)).size).toBeLessThan(size / 10);
});

test.each<[string, (lines: string[]) => string, Baseline]>([
  ['a line that was cut short', ([one, two = '']) => `${one}\n${two.slice(0, -9)}`, second],
  ['a line that was changed', ([one, two]) => `${one?.replace('"z"', '"q"')}\n${two}\n`, first],
  ['a line that is missing', ([, two]) => `${two}\n`, first],
  ['something else', () => 'hello\nworld\n', first],
])('%s leaves the build before it', async (_, damage, expected) => {
  const file = new BaselineFile(path, 1);
  for (const one of [first, second, third]) await file.save(one);
  await writeFile(`${path}.steps`, damage((await readFile(`${path}.steps`, 'utf8')).split('\n')));
  expect(await loaded()).toEqual(expected);
  // What comes behind the damage would never be read.
  await file.save(third);
  expect(await loaded()).toEqual(third);
});

test('steps of another whole are not read, and what another process wrote is not added to', async () => {
  const [mine, other] = [new BaselineFile(path, 1), new BaselineFile(path, 1)];
  await mine.save(first);
  await mine.save(second);
  const steps = await readFile(`${path}.steps`);
  await other.save(first);
  expect(await loaded()).toEqual(first);
  // As when a process dies between writing the whole and removing what was appended to the one before.
  await writeFile(`${path}.steps`, steps);
  expect(await loaded()).toEqual(first);
  await mine.save(third);
  expect(await loaded()).toEqual(third);
});

test('when much was appended all is written again', async () => {
  const file = new BaselineFile(path, 1);
  await file.save(first);
  const names = Array.from({ length: 6000 }, (_, at) => `q.D${at}`);
  for (const bytes of ['u', 'v', 'w'])
    await file.save(baseline(bytes, {}, Object.fromEntries(names.map((name) => [name, bytes]))));
  expect((await stat(`${path}.steps`).catch(() => null))?.size ?? 0).toBeLessThan(600 * 1024);
  expect(await loaded()).toMatchObject({ state: { id: 'w' } });
});
