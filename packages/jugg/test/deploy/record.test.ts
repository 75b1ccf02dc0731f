import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RecordStore, type DeployRecord } from '../../src/deploy/record.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'jugg-records-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const installed = {
  id: '1',
  versionCode: 1,
  manifest: 'm',
  resources: 'r',
  assets: 'a',
  libraries: 'l',
  classes: { 'a.B': ['x', 'y'] as [string, string] },
};
const record: DeployRecord = {
  version: 1,
  serial: '127.0.0.1:15555',
  user: 0,
  packageName: 'a.b',
  projectDir: '/p',
  installed,
  classFiles: [],
  evidence: { apkPath: '/data/app/a.b-1', lastUpdateTime: 't', versionCode: 1 },
  overlay: { pid: 7, state: { ...installed, id: '2' } },
  unfinished: null,
  deployType: 'HOT_RELOAD',
  deployedAt: '2026-11-30T16:00:00.000Z',
  deviceTimeMs: 5,
};

test('comes back as it was, for this device, user and app only', async () => {
  const store = new RecordStore(dir);
  await store.write(record);
  expect(await store.read(record)).toEqual(record);
  for (const other of [{ serial: 'x' }, { user: 10 }, { packageName: 'a.b.c' }])
    expect(await store.read({ ...record, ...other })).toBeNull();
});

test('the newest of a project on a device', async () => {
  const store = new RecordStore(dir);
  await store.write(record);
  await store.write({ ...record, packageName: 'c.d', deployedAt: '2026-11-30T17:00:00.000Z' });
  await store.write({
    ...record,
    packageName: 'e.f',
    projectDir: '/q',
    deployedAt: '2026-11-30T18:00:00.000Z',
  });
  expect((await store.latest('/p', record.serial))?.packageName).toBe('c.d');
  expect(await store.latest('/p', 'other')).toBeNull();
});

test('what cannot be read counts as none', async () => {
  const store = new RecordStore(dir);
  await store.write(record);
  const [file = ''] = await readdir(join(dir, 'deployed'));
  await writeFile(join(dir, 'deployed', file), '{"version": 1, "serial"');
  expect(await store.read(record)).toBeNull();
  expect(await store.latest('/p', record.serial)).toBeNull();
});
