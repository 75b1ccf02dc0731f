import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JavaRequest } from '../../src/toolchain/types.ts';
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

function javaRequest(sources: readonly string[], outputDir: string): JavaRequest {
  return { sources, classPath: [], outputDir, release: 11, freeArguments: [] };
}

async function javaFile(name: string, text: string): Promise<string> {
  const folder = join(bench.folder, 'java src');
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe('Java', () => {
  test('writes what is new, and nothing when nothing is', async () => {
    const outputDir = join(bench.folder, 'out 1');
    const file = await javaFile('Ok.java', 'package p; class Ok { class In {} Runnable r = () -> {}; }');
    const first = valueOf(await bench.host.compileJava(javaRequest([file], outputDir), quietWork()));
    expect(first).toEqual({
      success: true,
      diagnostics: [],
      compiled: [file],
      written: [join(outputDir, 'p/Ok.class'), join(outputDir, 'p/Ok$In.class')],
      removed: [],
    });
    const second = valueOf(await bench.host.compileJava(javaRequest([file], outputDir), quietWork()));
    expect(second).toMatchObject({ success: true, written: [] });
    await writeFile(file, 'package p; class Ok { class In {} Runnable r = () -> { throw null; }; }');
    const third = valueOf(await bench.host.compileJava(javaRequest([file], outputDir), quietWork()));
    expect(third.written).toEqual([join(outputDir, 'p/Ok.class')]);
  });

  test('a source that is no UTF-8 is an error, each time', async () => {
    const file = await javaFile('Latin.java', '');
    await writeFile(file, Buffer.from('class Latin {\n  String s = "\u00e4";\n}\n', 'latin1'));
    for (let time = 0; time < 2; time++) {
      const request = javaRequest([file], join(bench.folder, 'out latin'));
      const reply = valueOf(await bench.host.compileJava(request, quietWork()));
      expect(reply).toMatchObject({ success: false, written: [] });
      expect(reply.diagnostics).toMatchObject([
        { file, line: 2, message: 'unmappable character (0xE4) for encoding UTF-8' },
      ]);
    }
  });

  test('errors and warnings with their places; the outputs stay', async () => {
    const outputDir = join(bench.folder, 'out 2');
    const good = await javaFile('Good.java', 'class Good {}');
    const bad = await javaFile(
      'Bäd.java',
      'class Bäd {\n    int f() { return "a"; }\n\tvoid g() { new java.util.Date().getHours(); nix(); }\n}\n',
    );
    const reply = valueOf(
      await bench.host.compileJava(
        { ...javaRequest([good, bad], outputDir), freeArguments: ['-Xlint:deprecation'] },
        quietWork(),
      ),
    );
    expect(reply).toMatchObject({ success: false, written: [], removed: [] });
    expect(reply.diagnostics).toMatchObject([
      {
        severity: 'error',
        tool: 'javac',
        file: bad,
        line: 2,
        column: 22,
        endLine: 2,
        endColumn: 25,
        message: 'incompatible types: java.lang.String cannot be converted to int',
        code: 'compiler.err.prob.found.req',
      },
      {
        severity: 'warning',
        file: bad,
        line: 3,
        column: 33,
        endLine: 3,
        endColumn: 42,
        code: 'compiler.warn.has.been.deprecated',
      },
      {
        severity: 'error',
        file: bad,
        line: 3,
        column: 46,
        endLine: 3,
        endColumn: 49,
        code: 'compiler.err.cant.resolve.location.args',
      },
    ]);
    await expect(readdir(outputDir)).rejects.toThrow('ENOENT');
  });

  test('the end of a place that spans lines, and a place without an end', async () => {
    const text = 'class Long {\r\n  int f() {\r\n    return "a"\r\n      .concat(\r\n"b");\r\n  }\r\n';
    const file = await javaFile('Long.java', text);
    const request = javaRequest([file], join(bench.folder, 'out 6'));
    const syntax = valueOf(await bench.host.compileJava(request, quietWork()));
    expect(syntax.diagnostics).toMatchObject([{ line: 6, code: 'compiler.err.premature.eof' }]);
    await writeFile(file, `${text}}\r\n`);
    const [type] = valueOf(await bench.host.compileJava(request, quietWork())).diagnostics;
    expect(type).toMatchObject({ line: 4, column: 14, endLine: 5, endColumn: 5 });
    const nowhere = { ...request, sources: [`${file}.gone.java`] };
    const [gone] = valueOf(await bench.host.compileJava(nowhere, quietWork())).diagnostics;
    expect(gone).toMatchObject({ severity: 'error', line: null });
    expect(gone).not.toHaveProperty('endLine');
  });

  test('an option that javac does not know is an error of the compile, not of the host', async () => {
    const file = await javaFile('Opt.java', 'class Opt {}');
    const reply = valueOf(
      await bench.host.compileJava(
        { ...javaRequest([file], join(bench.folder, 'out 3')), freeArguments: ['--no-such-option'] },
        quietWork(),
      ),
    );
    expect(reply.success).toBe(false);
    expect(reply.diagnostics[0]?.message).toContain('--no-such-option');
  });

  test('a source that is not there', async () => {
    const missing = join(bench.folder, 'Missing.java');
    const request = javaRequest([missing], join(bench.folder, 'out 5'));
    const reply = valueOf(await bench.host.compileJava(request, quietWork()));
    expect(reply).toMatchObject({ success: false, written: [] });
    expect(reply.diagnostics[0]?.message).toContain('Missing.java');
  });

  test('a cancelled compile answers within half a second and writes nothing', async () => {
    const classes = Array.from(
      { length: 400 },
      (_, i) => `class C${i} { ${'int f() { return 1 + 2; } '.replace('f', `f${i}`)} }`,
    );
    const file = await javaFile('Many.java', classes.join('\n'));
    const outputDir = join(bench.folder, 'out 4');
    const abort = new AbortController();
    const call = bench.host.compileJava(javaRequest([file], outputDir), quietWork(abort.signal));
    const started = performance.now();
    abort.abort();
    expect(await call).toMatchObject({ ok: false, fault: { code: 'CANCELED' } });
    expect(performance.now() - started).toBeLessThan(500);
    // The next call waits for nothing of the cancelled one.
    const small = await javaFile('Small.java', 'class Small {}');
    valueOf(await bench.host.compileJava(javaRequest([small], outputDir), quietWork()));
    expect(await readdir(outputDir)).toEqual(['Small.class']);
  });
});

describe('the process', () => {
  test('a killed host fails the call that it had; the next call has a new host and right results', async () => {
    const module = new TestModule(bench.host, join(bench.folder, 'killed'), [await artifact(KOTLIN_STDLIB)]);
    const file = await module.write('A.kt', 'package a\nfun a() = 1\n');
    valueOf(await module.compile({ kind: 'unknown' }));
    const snapshots = join(bench.dirs.cache, 'class-path-snapshots');
    const [used = ''] = await readdir(snapshots);
    const monthAgo = Date.now() / 1000 - 30 * 24 * 3600;
    await writeFile(join(snapshots, 'old.snapshot'), '');
    await utimes(join(snapshots, 'old.snapshot'), monthAgo, monthAgo);
    const pid = bench.host.pid;
    expect(pid).toBeTypeOf('number');

    await module.edit('A.kt', '= 1', '= 2');
    const call = module.modified(file);
    process.kill(pid ?? 0, 'SIGKILL');
    const failed = await call;
    expect(failed).toMatchObject({ ok: false, fault: { code: 'ENVIRONMENT_ERROR' } });
    expect(failed.ok ? '' : failed.fault.message).toContain('compile host ended');

    const reply = valueOf(await module.modified(file));
    expect(reply.written).toEqual([join(module.outputDir, 'a/AKt.class')]);
    expect(bench.host.pid).not.toBe(pid);
    expect(await module.outputs()).toEqual(await module.fullBuild());
    // A new host removes what nobody has used for long.
    expect(await readdir(snapshots)).toEqual([used]);
    // Three first compiles of cold JVMs.
  }, 180_000);

  test('a file that is not a class is an answer, not a crash', async () => {
    const file = join(bench.folder, 'Broken.class');
    await writeFile(file, 'not a class');
    expect(await bench.host.classInfo([file], quietWork())).toMatchObject({
      ok: false,
      fault: { code: 'INVALID_PARAMS' },
    });
    const dexed = await bench.host.dex(
      {
        classFiles: [file],
        classPath: [],
        bootClassPath: [],
        minApi: 26,
        outputDir: join(bench.folder, 'dex'),
      },
      quietWork(),
    );
    expect(dexed).toMatchObject({
      ok: false,
      fault: { code: 'COMPILE_ERROR', data: { diagnostics: [{ severity: 'error', tool: 'd8', file }] } },
    });
    expect(await readdir(join(bench.folder, 'dex'))).toEqual([]);
  });

  test('signing what is no APK', async () => {
    const input = join(bench.folder, 'no.apk');
    await writeFile(input, 'PK no');
    const output = join(bench.folder, 'signed.apk');
    const signed = await bench.host.sign({ input, output, minSdk: 26 }, quietWork());
    expect(signed).toMatchObject({ ok: false, fault: { code: 'APK_NOT_FOUND' } });
    await expect(readFile(output)).rejects.toThrow('ENOENT');
  });

  test('calls run side by side', async () => {
    const file = await javaFile('Side.java', 'class Side {}');
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        bench.host.compileJava(javaRequest([file], join(bench.folder, `side ${i}`)), quietWork()),
      ),
    );
    expect(replies.map((reply) => valueOf(reply).written.length)).toEqual(Array.from({ length: 8 }, () => 1));
  });

  test('messages are English, whatever the language of the system', async () => {
    const german = { ...process.env, LC_ALL: 'de_DE.UTF-8', JAVA_TOOL_OPTIONS: '-Duser.language=de' };
    const other = await hostBench({ env: german });
    try {
      const file = await javaFile('Deutsch.java', 'class Deutsch { int f() { return ""; } }');
      const request = javaRequest([file], join(other.folder, 'out'));
      const reply = valueOf(await other.host.compileJava(request, quietWork()));
      expect(reply.diagnostics[0]?.message).toMatch(/^incompatible types/);
    } finally {
      await other.close();
    }
  });

  test('a host that has grown is replaced when it is idle, and leaves no process', async () => {
    const small = await hostBench({ recycleAt: 0.001 });
    try {
      const file = await javaFile('Grown.java', 'class Grown {}');
      const request = javaRequest([file], join(small.folder, 'out'));
      await small.host.warmUp();
      // No pid: it is grown already, and has no successor yet.
      const seen = new Set<number>();
      const note = (): void => void (small.host.pid !== undefined && seen.add(small.host.pid));
      note();
      for (let tries = 0; seen.size < 2 && tries < 100; tries++) {
        // The host collects its garbage, and tells how much is left, after 600 ms without a call.
        await setTimeout(700);
        valueOf(await small.host.compileJava(request, quietWork()));
        note();
      }
      expect(seen.size).toBe(2);
      await small.host.close();
      for (const pid of seen) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    } finally {
      await small.close();
    }
  }, 180_000);
});
