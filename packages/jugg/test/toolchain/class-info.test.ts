import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClassInfo } from '../../src/toolchain/types.ts';
import { TestModule } from './module.ts';
import { artifact, hostBench, KOTLIN_STDLIB, quietWork, valueOf } from './support.ts';
import type { HostBench } from './support.ts';

let bench: HostBench;
beforeAll(async () => {
  bench = await hostBench();
});
afterAll(async () => {
  await bench.close();
});

let count = 0;

/** Compiles one Java class named `C` and answers what is known of it. */
async function infoOf(body: string, header = 'public class C'): Promise<ClassInfo> {
  count++;
  const folder = join(bench.folder, `case ${count}`);
  await mkdir(folder);
  const file = join(folder, 'C.java');
  await writeFile(file, `package p;\n${header} {\n${body}\n}\n`);
  const reply = valueOf(
    await bench.host.compileJava(
      { sources: [file], classPath: [], outputDir: folder, release: 11, freeArguments: [] },
      quietWork(),
    ),
  );
  expect(reply.diagnostics).toEqual([]);
  const [info] = valueOf(await bench.host.classInfo([join(folder, 'p/C.class')], quietWork()));
  if (info === undefined) throw new Error('no class');
  return info;
}

interface Case {
  readonly what: string;
  readonly from: string;
  readonly to: string;
  readonly header?: string;
  readonly shape: 'same' | 'other';
  readonly abi: 'same' | 'other';
}

const CASES: readonly Case[] = [
  {
    what: 'a body, with lines moved',
    from: 'int f() { return 1; }',
    to: '\n\nint f() { int x = 2; return x; }',
    shape: 'same',
    abi: 'same',
  },
  {
    what: 'the text of a concatenation',
    from: 'String f(int n) { return "Count: " + n; }',
    to: 'String f(int n) { return "Number: " + n + "!"; }',
    shape: 'same',
    abi: 'same',
  },
  {
    what: 'the body of a lambda',
    from: 'Runnable f() { return () -> System.out.println(1); }',
    to: 'Runnable f() { return () -> System.out.println(2); }',
    shape: 'same',
    abi: 'same',
  },
  {
    what: 'a lambda more',
    from: 'void f(Runnable r) { f(() -> {}); }',
    to: 'void f(Runnable r) { f(() -> {}); f(() -> {}); }',
    shape: 'other',
    abi: 'same',
  },
  {
    what: 'a method reference to another method',
    from: 'Runnable f() { return System::gc; }',
    to: 'Runnable f() { return System::runFinalization; }',
    shape: 'other',
    abi: 'same',
  },
  { what: 'a private method more', from: '', to: 'private void g() {}', shape: 'other', abi: 'same' },
  { what: 'a public method more', from: '', to: 'public void g() {}', shape: 'other', abi: 'other' },
  { what: 'a private field more', from: '', to: 'private int x;', shape: 'other', abi: 'same' },
  { what: 'a modifier', from: 'void f() {}', to: 'final void f() {}', shape: 'other', abi: 'other' },
  {
    what: 'the order of members',
    from: 'void f() {} void g() {}',
    to: 'void g() {} void f() {}',
    shape: 'same',
    abi: 'same',
  },
  {
    what: 'the value of a constant',
    from: 'static final int K = 1;',
    to: 'static final int K = 2;',
    shape: 'other',
    abi: 'other',
  },
  {
    what: 'a static initialiser, which does not run again',
    from: 'static int k = 1;',
    to: 'static int k = 2;',
    shape: 'other',
    abi: 'same',
  },
  {
    what: 'lines above a static initialiser',
    from: 'static int k = new Object().hashCode();',
    to: '\n\n\nstatic int k = new Object().hashCode();',
    shape: 'same',
    abi: 'same',
  },
  {
    what: 'an annotation that the app can read',
    from: 'public void f() {}',
    to: '@Deprecated public void f() {}',
    shape: 'other',
    abi: 'other',
  },
  {
    what: 'a thrown type',
    from: 'void f() {}',
    to: 'void f() throws Exception {}',
    shape: 'other',
    abi: 'other',
  },
];

describe('what a change of a class means', () => {
  test.each(CASES)('$what: shape $shape, abi $abi', async ({ from, to, shape, abi }) => {
    const before = await infoOf(from);
    const after = await infoOf(to);
    expect(before.bytes === after.bytes ? 'same' : 'other').toBe('other');
    expect(before.shape === after.shape ? 'same' : 'other').toBe(shape);
    expect(before.abi === after.abi ? 'same' : 'other').toBe(abi);
  });

  test('super types', async () => {
    const before = await infoOf('', 'public class C');
    const after = await infoOf('', 'public class C extends java.util.ArrayList<String> implements Cloneable');
    expect(after.shape).not.toBe(before.shape);
    expect(after).toMatchObject({ superName: 'java.util.ArrayList', interfaces: ['java.lang.Cloneable'] });
  });
});

test('names, constants and references of a class', async () => {
  const info = await infoOf(
    'public static final String TAG = "t"; static final int N = 1; static int m = 2;\n' +
      'java.util.List<java.time.Instant> all; Object f(java.io.File[] a) { return new Thread(); }',
  );
  expect(info).toMatchObject({
    name: 'p.C',
    sourceFile: 'C.java',
    superName: 'java.lang.Object',
    interfaces: [],
  });
  expect(info.constants.toSorted()).toEqual(['N', 'TAG']);
  expect(info.references).toEqual(
    expect.arrayContaining(['java.util.List', 'java.time.Instant', 'java.io.File', 'java.lang.Thread']),
  );
  expect(info.references).not.toContain('p.C');
  expect(info.shown).toEqual(expect.arrayContaining(['java.util.List', 'java.time.Instant', 'java.io.File']));
  expect(info.shown).not.toContain('java.lang.Thread');
});

test('the body of a Kotlin function keeps the shape, also with a template, a lambda and moved lines', async () => {
  const module = new TestModule(bench.host, join(bench.folder, 'kotlin'), [await artifact(KOTLIN_STDLIB)]);
  const file = await module.write('A.kt', KOTLIN);
  const first = valueOf(await module.compile({ kind: 'unknown' }));
  const before = valueOf(await bench.host.classInfo(first.written, quietWork()));
  await module.edit('A.kt', '    fun text', '\n\n    fun text');
  await module.edit('A.kt', 'Count: ', 'Number: ');
  await module.edit('A.kt', 'it + n', 'it * n');
  const second = valueOf(await module.modified(file));
  expect(second.written).toEqual([join(module.outputDir, 'a/A.class')]);
  const after = valueOf(await bench.host.classInfo(first.written, quietWork()));
  expect(after.map(({ shape }) => shape)).toEqual(before.map(({ shape }) => shape));
  expect(after.map(({ bytes }) => bytes)).not.toEqual(before.map(({ bytes }) => bytes));
});

const KOTLIN = `package a
class A(private val n: Int) {
    fun text() = "Count: $n"
    fun each(f: (Int) -> Int) = run { f(n) }
    fun all() = each { it + n }
}
`;
