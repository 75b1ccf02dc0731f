import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findJdk } from '../../src/toolchain/jdk.ts';
import { classNamesOfDex } from './dex.ts';
import { artifact, hostBench, quietWork, valueOf } from './support.ts';
import type { HostBench } from './support.ts';

let bench: HostBench;
let boot: readonly string[];
beforeAll(async () => {
  bench = await hostBench();
  boot = [valueOf(await findJdk()).home];
});
afterAll(async () => {
  await bench.close();
});

/** Compiles Java sources given by name to a folder of their own. */
async function classFiles(name: string, sources: Record<string, string>): Promise<readonly string[]> {
  const folder = join(bench.folder, name);
  await mkdir(folder, { recursive: true });
  const files = await Promise.all(
    Object.entries(sources).map(async ([file, text]) => {
      const path = join(folder, file);
      await writeFile(path, text);
      return path;
    }),
  );
  const reply = valueOf(
    await bench.host.compileJava(
      { sources: files, classPath: [], outputDir: join(folder, 'classes'), release: 17, freeArguments: [] },
      quietWork(),
    ),
  );
  expect(reply.diagnostics).toEqual([]);
  return reply.written;
}

async function dexAndMerge(
  name: string,
  classes: readonly string[],
  minApi: number,
): Promise<{ readonly perClass: ReadonlyMap<string, string>; readonly merged: readonly string[] }> {
  const { dex } = valueOf(
    await bench.host.dex(
      {
        classFiles: classes,
        classPath: [join(bench.folder, name, 'classes')],
        bootClassPath: boot,
        minApi,
        outputDir: join(bench.folder, name, 'dex'),
      },
      quietWork(),
    ),
  );
  const outputDir = join(bench.folder, name, 'merged');
  const request = { dexFiles: [...dex.values()], minApi, outputDir };
  return { perClass: dex, merged: valueOf(await bench.host.mergeDex(request, quietWork())) };
}

describe('what Android lacks is made by D8', () => {
  test('records, and lambdas and interface methods for Android 5', async () => {
    const classes = await classFiles('desugar', {
      'Point.java': 'package p; public record Point(int x, int y) {}',
      'Greeter.java':
        'package p; interface Greeter { default Runnable hi() { return () -> System.out.println(this); } }',
      'Main.java': 'package p; class Main implements Greeter { Object o = new Point(1, 2); }',
    });
    const { perClass, merged } = await dexAndMerge('desugar', classes, 21);
    expect([...perClass.keys()].toSorted()).toEqual(['p.Greeter', 'p.Main', 'p.Point']);
    const greeter = classNamesOfDex(await readFile(perClass.get('p.Greeter') ?? ''));
    expect(greeter).toEqual(expect.arrayContaining(['p.Greeter', 'p.Greeter$-CC']));
    const all = (await Promise.all(merged.map((file) => readFile(file)))).flatMap((dex) =>
      classNamesOfDex(dex),
    );
    // One super class of all records for the whole app.
    expect(all.filter((name) => name.endsWith('.RecordTag'))).toEqual(['com.android.tools.r8.RecordTag']);
    expect(all).not.toContain('java.lang.Record');
    expect(new Set(all).size).toBe(all.length);
  });

  test('a smaller result leaves no dex file of a larger one', async () => {
    const classes = await classFiles('shrink', { 'A.java': 'package p; class A {}' });
    const outputDir = join(bench.folder, 'shrink', 'merged');
    await mkdir(outputDir, { recursive: true });
    await writeFile(join(outputDir, 'classes2.dex'), 'of before');
    const { merged } = await dexAndMerge('shrink', classes, 26);
    expect(merged).toEqual([join(outputDir, 'classes.dex')]);
    expect(await readdir(outputDir)).toEqual(['classes.dex']);
  });

  test('more fields than one dex file holds', async () => {
    // 65,536 is the limit of a field id; fields cost the compilers less than methods, which have the same limit.
    const fields = Array.from({ length: 33_000 }, (_, i) => `f${i}`).join(', ');
    const sources = ['A', 'B'].map((name) => [
      `${name}.java`,
      `package big; class ${name} { int ${fields}; }`,
    ]);
    const classes = await classFiles('big', Object.fromEntries(sources));
    const { merged } = await dexAndMerge('big', classes, 26);
    expect(merged).toEqual([
      join(bench.folder, 'big/merged/classes.dex'),
      join(bench.folder, 'big/merged/classes2.dex'),
    ]);
    const names = (await Promise.all(merged.map((file) => readFile(file)))).flatMap((dex) =>
      classNamesOfDex(dex),
    );
    expect(names.toSorted()).toEqual(['big.A', 'big.B']);
  });
});

test('a cancel stops D8 and leaves the output folder empty', async () => {
  const classes = await classFiles('cancel', {
    'Many.java': Array.from({ length: 1500 }, (_, i) => `class Many${i} { int f() { return ${i}; } }`).join(
      '\n',
    ),
  });
  const outputDir = join(bench.folder, 'cancel', 'dex');
  const abort = new AbortController();
  const call = bench.host.dex(
    { classFiles: classes, classPath: [], bootClassPath: boot, minApi: 26, outputDir },
    quietWork(abort.signal),
  );
  const started = performance.now();
  abort.abort();
  expect(await call).toMatchObject({ ok: false, fault: { code: 'CANCELED' } });
  expect(performance.now() - started).toBeLessThan(500);
  // A later call runs to its end, so the cancelled one has had its time too.
  const { perClass } = await dexAndMerge('cancel', classes.slice(0, 2), 26);
  expect(perClass.size).toBe(2);
});

describe('dx, where there is no D8', () => {
  let dx: HostBench;
  beforeAll(async () => {
    dx = await hostBench({ dexer: null });
  });
  afterAll(async () => {
    await dx.close();
  });

  async function compiled(name: string, release: number): Promise<readonly string[]> {
    const file = join(dx.folder, `${name}.java`);
    await writeFile(
      file,
      `package p; class ${name} { Runnable r = () -> System.out.println(1); class In {} }`,
    );
    const outputDir = join(dx.folder, name);
    const request = { sources: [file], classPath: [], outputDir, release, freeArguments: [] };
    return valueOf(await dx.host.compileJava(request, quietWork())).written;
  }

  test('Java 8 for Android 8, and a jar', async () => {
    const classes = await compiled('Old', 8);
    const outputDir = join(dx.folder, 'dex');
    const request = { classFiles: classes, classPath: [], bootClassPath: [], minApi: 26, outputDir };
    const { dex } = valueOf(await dx.host.dex(request, quietWork()));
    expect([...dex]).toEqual([
      ['p.Old$In', join(outputDir, 'p/Old$In.dex')],
      ['p.Old', join(outputDir, 'p/Old.dex')],
    ]);
    const merge = { dexFiles: [...dex.values()], minApi: 26, outputDir: join(dx.folder, 'merged') };
    const merged = valueOf(await dx.host.mergeDex(merge, quietWork()));
    expect(merged).toHaveLength(1);
    expect(classNamesOfDex(await readFile(merged[0] ?? '')).toSorted()).toEqual(['p.Old', 'p.Old$In']);

    const jar = await artifact('org.jetbrains:annotations:13.0');
    const jarRequest = {
      jar,
      classPath: [],
      bootClassPath: [],
      minApi: 26,
      outputDir: join(dx.folder, 'jar'),
    };
    const files = valueOf(await dx.host.dexJar(jarRequest, quietWork()));
    expect(classNamesOfDex(await readFile(files[0] ?? ''))).toContain('org.jetbrains.annotations.NotNull');
  });

  test.each([
    ['a newer class file', 'New', 11, 26],
    ['a lambda before Android 8', 'Lambda', 8, 21],
  ])('%s is refused with a reason', async (_, name, release, minApi) => {
    const request = { classFiles: await compiled(name, release), classPath: [], bootClassPath: [], minApi };
    const result = await dx.host.dex({ ...request, outputDir: join(dx.folder, name) }, quietWork());
    expect(result).toMatchObject({ ok: false, fault: { code: 'COMPILE_ERROR' } });
    expect(result.ok ? '' : result.fault.message).toContain('because there is no D8');
  });
});
