import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { juggDirs } from '../../src/shared/paths.ts';
import { findAapt2 } from '../../src/toolchain/aapt2.ts';
import { resourceTableOf } from '../../src/toolchain/resource-table.ts';
import { FRAMEWORK } from '../../src/toolchain/runtime.ts';
import { storedCopy } from '../../src/toolchain/stored-copy.ts';
import { readZip } from '../../src/toolchain/zip-reader.ts';
import { artifact, oddFolder, quietWork, valueOf } from './support.ts';

let folder: string;
beforeAll(async () => {
  folder = await oddFolder();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('linking against the table alone gives the same APK as against the framework', async () => {
  const framework = await artifact(FRAMEWORK.gav);
  const dir = join(folder, 'tables');
  const table = await resourceTableOf(framework, dir);
  const names: string[] = [];
  for await (const { name } of readZip(table)) names.push(name);
  expect(names.sort()).toEqual(['AndroidManifest.xml', 'resources.arsc']);
  expect(await resourceTableOf(framework, dir)).toBe(table);
  expect(await readdir(dir)).toHaveLength(1);

  const work = quietWork();
  const aapt2 = valueOf(await findAapt2(work, { dirs: juggDirs({ JUGG_HOME: join(folder, 'home') }) }));
  const manifest = join(folder, 'AndroidManifest.xml');
  const theme = 'android:theme="@android:style/Theme.Material"';
  const android = 'xmlns:android="http://schemas.android.com/apk/res/android"';
  await writeFile(manifest, `<manifest ${android} package="com.ex"><application ${theme}/></manifest>`);
  const made: Buffer[] = [];
  for (const against of [framework, table]) {
    const output = join(folder, 'out.apk');
    const request = { output, manifest, frameworks: [against], compiled: [], minSdk: 26, targetSdk: 35 };
    valueOf(await aapt2.link(request, work));
    made.push(await readFile(output));
  }
  expect(made[0]).toEqual(made[1]);
});

test('what has no table is linked against as it is', async () => {
  const other = await artifact('org.jetbrains:annotations:13.0');
  expect(await resourceTableOf(other, join(folder, 'tables'))).toBe(other);
  expect(await readdir(join(folder, 'tables'))).toHaveLength(1);
});

test('a stored copy has the same entries, none of them compressed', async () => {
  const jar = await artifact('org.jetbrains:annotations:13.0');
  const copy = await storedCopy(jar, join(folder, 'stored'));
  const read = async (path: string): Promise<{ names: string[]; contents: string[]; methods: number[] }> => {
    const all = { names: [] as string[], contents: [] as string[], methods: [] as number[] };
    for await (const entry of readZip(path)) {
      all.names.push(entry.name);
      all.contents.push(Buffer.from(await entry.content()).toString('hex'));
      all.methods.push((await entry.raw()).method);
    }
    return all;
  };
  const [before, after] = [await read(jar), await read(copy)];
  expect(before.names.length).toBeGreaterThan(10);
  expect(after.names).toEqual(before.names);
  expect(after.contents).toEqual(before.contents);
  expect(before.methods).toContain(8);
  expect(new Set(after.methods)).toEqual(new Set([0]));
  expect(await storedCopy(jar, join(folder, 'stored'))).toBe(copy);
});
