import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ProjectStore } from '../../src/project/baseline.ts';
import { StoredJson } from '../../src/project/stored-json.ts';
import type { Workspace } from '../../src/project/workspace.ts';

const schema = z.object({ name: z.string(), count: z.number() });
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'jugg-stored-'));
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

test('what was saved is loaded', async () => {
  const file = new StoredJson(join(dir, 'deep', 'a.json'), 1, schema);
  await file.save({ name: 'ä\n', count: 1 });
  expect(await file.load()).toEqual({ ok: true, value: { name: 'ä\n', count: 1 } });
});

test('nothing stored is told from something broken', async () => {
  expect(await new StoredJson(join(dir, 'none.json'), 1, schema).load()).toMatchObject({
    ok: false,
    missing: true,
  });
});

test.each<[string, (text: string) => string, RegExp]>([
  ['cut short', (text) => text.slice(0, -3), /damaged/],
  ['empty', () => '', /damaged/],
  ['changed by hand', (text) => text.replace('"count":1', '"count":2'), /damaged/],
  ['no JSON', () => 'hello\nworld', /damaged/],
  ['another format', (text) => text.replace('"format":1', '"format":2'), /another version/],
])('%s', async (_, damage, reason) => {
  const file = new StoredJson(join(dir, 'b.json'), 1, schema);
  await file.save({ name: 'x', count: 1 });
  await writeFile(file.path, damage(await readFile(file.path, 'utf8')));
  const loaded = await file.load();
  expect(loaded).toMatchObject({ ok: false, missing: false });
  expect(loaded.ok ? '' : loaded.reason).toMatch(reason);
});

test('another shape in a whole file', async () => {
  const other = new StoredJson(join(dir, 'c.json'), 1, z.object({ other: z.string() }));
  await other.save({ other: 'x' });
  expect(await new StoredJson(other.path, 1, schema).load()).toMatchObject({ ok: false, missing: false });
});

const workspace = { toolsId: 't', modelId: 'm', module: ':app', variant: 'debug' };

test('projects have stores of their own, outside the project', () => {
  const [a, b] = [new ProjectStore(dir, '/p/a'), new ProjectStore(dir, '/p/b')];
  expect(a.root).not.toBe(b.root);
  expect(a.root.startsWith(join(dir, 'projects'))).toBe(true);
});

test('each kind of build has output folders of its own; only the last ones stay', async () => {
  const store = new ProjectStore(dir, '/p/c');
  const of = (modelId: string): Workspace => ({ ...workspace, modelId });
  const there = async (): Promise<string[]> => {
    const ids = ['good', 'b', 'c', 'd'];
    const found = await Promise.all(ids.map((id) => store.workspace(of(id)).exists()));
    return ids.filter((_, index) => found[index]);
  };
  const good = await store.openWorkspace(of('good'), null);
  expect(good.moduleDir(':x:y')).not.toBe(good.moduleDir(':x'));
  await good.busy.set('x');
  expect(await store.workspace(of('b')).busy.has('x')).toBe(false);
  expect(await good.busy.has('x')).toBe(true);
  await good.busy.clear('x');
  expect(await good.busy.has('x')).toBe(false);
  for (const [id, usedAt] of [
    ['b', 100],
    ['c', 200],
  ] as const) {
    const { root } = await store.openWorkspace(of(id), of('good'));
    await utimes(root, usedAt, usedAt);
  }
  expect(await there()).toEqual(['good', 'b', 'c']);
  await store.openWorkspace(of('d'), of('good'));
  expect(await there()).toEqual(['good', 'c', 'd']);
});

test('who writes to a store learns of others that did', async () => {
  const store = new ProjectStore(dir, '/p/d');
  await store.openWorkspace(workspace, null);
  expect(await store.claim('a')).toBe(false);
  expect(await store.claim('a')).toBe(true);
  expect(await store.claim('b')).toBe(false);
  expect(await store.claim('a')).toBe(false);
});
