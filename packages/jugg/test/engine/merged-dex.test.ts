import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ProjectStore } from '../../src/project/baseline.ts';
import { digest } from '../../src/project/changes.ts';
import { writeApk } from '../../src/toolchain/apk-zip.ts';
import { readZip } from '../../src/toolchain/zip-reader.ts';
import { classJarsOf } from '../../src/engine/stages/class-jars.ts';
import { mergedDex } from '../../src/engine/stages/merged-dex.ts';
import type { BuildState } from '../../src/engine/types.ts';
import type { CompileHost } from '../../src/toolchain/types.ts';
import { classNamesOfDex } from '../toolchain/dex.ts';
import { hostBench, type HostBench } from '../toolchain/support.ts';
import { Bench, quietWork, valueOf } from './support.ts';

// Cold compilers on a busy machine take their time; a fast one needs a tenth of it.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const FOLDER = 'app/src/main/java/dev/jugg/sample';

let bench: Bench;
let other: HostBench;
let state: BuildState;
beforeAll(async () => {
  bench = await Bench.open();
  // Both need the same class of D8's own, which must be in the app once.
  for (const name of ['one', 'two'])
    await bench.write(
      `${FOLDER}/${name}/R${name}.java`,
      `package dev.jugg.sample.${name};\nrecord R${name}(int x) {}\n`,
    );
  state = (await bench.build()).state;
  other = await hostBench();
});
afterAll(async () => {
  await other.close();
  await bench.close();
});

test('beside each dex file of the project lie its class files, and no others', async () => {
  const stored = await new ProjectStore(bench.dirs.state, bench.projectDir).loadBaseline();
  if (!stored.ok) throw new Error(stored.reason);
  const { parts } = stored.value;
  const own = valueOf(await mergedDex(state, join(bench.folder, 'lots'), other.host, quietWork(), 1));
  const output = join(bench.folder, 'lots.apk');
  const dexFiles = [...own, ...parts.libraryDex.map(({ dex }) => dex)];
  valueOf(await writeApk({ base: parts.resourcesApk, dexFiles, output }, quietWork().signal));
  const jars = await classJarsOf(output, state, parts, join(bench.folder, 'jars'));
  expect(jars.map((one) => one.own)).toEqual(dexFiles.map((_, index) => index < own.length));
  const found: string[] = [];
  for (const [index, dex] of own.entries()) {
    const content = await readFile(dex);
    expect(jars[index]?.dexSha256).toBe(digest(content));
    const names: string[] = [];
    for await (const { name } of readZip(jars[index]?.jar ?? ''))
      names.push(name.replace(/\.class$/, '').replaceAll('/', '.'));
    expect(names.sort()).toEqual(
      classNamesOfDex(content)
        .filter((name) => state.classes.has(name))
        .sort(),
    );
    found.push(...names);
  }
  expect(found.sort()).toEqual([...state.classes.keys()].sort());
});

test('the classes of a large project go to several dex files, of which an edit makes one anew', async () => {
  let merges = 0;
  const host: CompileHost = Object.create(other.host, {
    mergeDex: {
      value: (...args: Parameters<CompileHost['mergeDex']>) => {
        merges += 1;
        return other.host.mergeDex(...args);
      },
    },
  });
  const merged = async (of: BuildState, oneBucket?: number): Promise<string[]> => {
    const files = valueOf(await mergedDex(of, join(bench.folder, 'merged'), host, quietWork(), oneBucket));
    const names = await Promise.all(files.map(async (file) => classNamesOfDex(await readFile(file))));
    return names.flat().sort();
  };
  const small = await merged(state);
  expect(merges).toBe(1);
  expect(small).toEqual(expect.arrayContaining([...state.classes.keys()]));
  expect(small.filter((name) => name.endsWith('RecordTag'))).toHaveLength(1);
  const large = await merged(state, 1);
  expect(merges).toBeGreaterThan(3);
  expect(large).toEqual(small);
  merges = 0;
  expect(await merged(state, 1)).toEqual(large);
  expect(merges).toBe(0);
  await bench.replace(`${FOLDER}/counter/Greeting.java`, 'name.trim()', 'name.strip()');
  await merged((await bench.build()).state, 1);
  expect(merges).toBe(1);
});
