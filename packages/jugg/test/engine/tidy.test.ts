import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tidyLinks, tidyOutputs } from '../../src/engine/tidy.ts';
import type { Baseline } from '../../src/project/baseline-file.ts';

const DAY_MS = 24 * 3600 * 1000;
const NOW = Date.now();

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'jugg tidy é-'));
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

async function file(name: string, ageMs: number): Promise<string> {
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
  const at = new Date(NOW - ageMs);
  await utimes(path, at, at);
  return path;
}

function baseline(dex: string, resourcesApk: string): Baseline {
  const state = { id: '', projectDir: '', module: '', variant: '', applicationId: '', versionCode: 1 };
  const rest = { minSdk: 26, launcherActivity: null, debuggable: true, resources: '', manifest: '' };
  const classes = new Map([['A', { bytes: '', shape: '', dex }]]);
  return {
    projectDir: '',
    module: '',
    variant: '',
    toolsId: '',
    modelId: '',
    compiledAtMs: 0,
    snapshot: new Map(),
    state: { ...state, ...rest, assets: '', libraries: '', classes },
    parts: { resourcesApk, libraryDex: [], files: [] },
  };
}

test('outputs that nothing refers to go when they are old', async () => {
  const used = await file('dex/aa/used.dex', 9 * DAY_MS);
  await file('dex/aa/used.class', 9 * DAY_MS);
  await file('dex/aa/old.dex', 9 * DAY_MS);
  await file('dex/aa/old.class', 9 * DAY_MS);
  await file('dex/bb/young.dex', DAY_MS);
  const current = baseline(used, '');
  expect(await tidyOutputs(root, current, NOW)).toBe(2);
  expect((await readdir(join(root, 'dex/aa'))).sort()).toEqual(['used.class', 'used.dex']);
  expect(await readdir(join(root, 'dex/bb'))).toEqual(['young.dex']);
  expect(await tidyOutputs(root, current, NOW)).toBe(0);
});

test('of the results of linking only the newest few stay, and the one in use', async () => {
  const apks: string[] = [];
  for (let age = 5; age >= 1; age--) {
    apks.push(await file(`resources/links/l${age}/resources.apk`, 0));
    const at = new Date(NOW - age * DAY_MS);
    await utimes(join(root, `resources/links/l${age}`), at, at);
  }
  await tidyLinks(root, baseline('', apks[0] ?? ''), NOW);
  expect((await readdir(join(root, 'resources/links'))).sort()).toEqual(['l1', 'l2', 'l3', 'l5']);
});
