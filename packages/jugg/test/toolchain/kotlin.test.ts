import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestModule } from './module.ts';
import { artifact, hostBench, KOTLIN_STDLIB, quietWork, valueOf } from './support.ts';
import type { HostBench } from './support.ts';

let bench: HostBench;
let stdlib: string;
beforeAll(async () => {
  bench = await hostBench();
  stdlib = await artifact(KOTLIN_STDLIB);
});
afterAll(async () => {
  await bench.close();
});

let count = 0;

/** Two files, one using the other, and a Java class. */
async function seeded(classPath: readonly string[] = []): Promise<TestModule> {
  count++;
  const module = new TestModule(bench.host, join(bench.folder, `module ${count}`), [stdlib, ...classPath]);
  await module.write('Counter.kt', COUNTER);
  await module.write('User.kt', USER);
  await module.write('Names.java', NAMES);
  const seed = valueOf(await module.compile({ kind: 'unknown' }));
  expect(seed.success).toBe(true);
  return module;
}

describe('incremental compiles', () => {
  test('a changed body recompiles one file and gives what a full build gives', async () => {
    const module = await seeded();
    const file = await module.edit('Counter.kt', 'Count: ', 'Number: ');
    const reply = valueOf(await module.modified(file));
    expect(reply).toEqual({
      success: true,
      diagnostics: [],
      compiled: [file],
      written: [join(module.outputDir, 'app/Counter.class')],
      removed: [],
    });
    expect(await module.outputs()).toEqual(await module.fullBuild());
  });

  test('a changed signature recompiles its users; an error there names the user’s line and column', async () => {
    const module = await seeded();
    const counter = await module.edit('Counter.kt', 'fun text()', 'fun text(prefix: String)');
    const failed = valueOf(await module.modified(counter));
    expect(failed.success).toBe(false);
    expect(failed.compiled).toContain(module.source('User.kt'));
    expect(failed.diagnostics).toEqual([
      {
        severity: 'error',
        tool: 'kotlinc',
        file: module.source('User.kt'),
        line: 4,
        column: 32,
        endLine: 4,
        endColumn: 36,
        message: expect.stringContaining("No value passed for parameter 'prefix'"),
        code: 'NO_VALUE_FOR_PARAMETER',
      },
    ]);
    const user = await module.edit('User.kt', 'text()', 'text("p")');
    const mended = valueOf(await module.modified(counter, user));
    expect(mended.success).toBe(true);
    expect(await module.outputs()).toEqual(await module.fullBuild());
  });

  test('a removed class is removed, and told', async () => {
    const module = await seeded();
    const file = await module.edit('Counter.kt', '\nclass Spare', '\nclass Other');
    const reply = valueOf(await module.modified(file));
    expect(reply.removed).toEqual([join(module.outputDir, 'app/Spare.class')]);
    expect(reply.written).toContain(join(module.outputDir, 'app/Other.class'));
    const removed = await module.remove('User.kt');
    const second = valueOf(await module.compile({ kind: 'known', modified: [], removed: [removed] }));
    expect(second.removed).toEqual([join(module.outputDir, 'app/UserKt.class')]);
    expect(await module.outputs()).toEqual(await module.fullBuild());
  });

  test('a Java constant that Kotlin has inlined', async () => {
    const module = await seeded();
    const file = await module.edit('Names.java', 'LIMIT = 3', 'LIMIT = 4');
    const reply = valueOf(await module.modified(file));
    expect(reply.written).toEqual([join(module.outputDir, 'app/UserKt.class')]);
    expect(await module.outputs()).toEqual(await module.fullBuild());
  });

  test('changed classes of another module reach its users, also when the client does not say so', async () => {
    const library = new TestModule(bench.host, join(bench.folder, 'library'), [stdlib]);
    const api = await library.write('Api.kt', 'package lib\ninline fun tag() = "one"\n');
    valueOf(await library.compile({ kind: 'unknown' }));
    const module = await seeded([library.outputDir]);
    const uses = await module.write('Uses.kt', 'package app\nfun tagged() = lib.tag()\n');
    valueOf(await module.modified(uses));

    await library.edit('Api.kt', 'one', 'two');
    valueOf(await library.modified(api));
    const reply = valueOf(await module.modified());
    expect(reply.written).toEqual([join(module.outputDir, 'app/UsesKt.class')]);
  });

  test('other arguments compile everything again', async () => {
    const module = await seeded();
    const reply = valueOf(
      await module.compile({ kind: 'known', modified: [], removed: [] }, { jvmTarget: '17' }),
    );
    expect(reply.compiled.toSorted()).toEqual([module.source('Counter.kt'), module.source('User.kt')]);
    expect(reply.written).toHaveLength(3);
  });

  test('a client that knows nothing is told everything', async () => {
    const module = await seeded();
    const reply = valueOf(await module.compile({ kind: 'unknown' }));
    expect(reply).toMatchObject({ success: true, compiled: [], removed: [] });
    expect(reply.written).toHaveLength(3);
  });

  test('warnings do not fail a compile', async () => {
    const module = await seeded();
    const file = await module.write(
      'Warn.kt',
      'package app\nfun f(x: String): Boolean {\n    return x is String\n}\n',
    );
    const reply = valueOf(await module.modified(file));
    expect(reply.success).toBe(true);
    expect(reply.diagnostics).toMatchObject([{ severity: 'warning', file, line: 3, column: 12 }]);
  });
});

describe('failures leave things as they were', () => {
  test('a syntax error in an incremental compile', async () => {
    const module = await seeded();
    const before = await module.outputs();
    const file = await module.edit('Counter.kt', 'fun text()', 'fun text(');
    const reply = valueOf(await module.modified(file));
    expect(reply).toMatchObject({ success: false, written: [], removed: [] });
    expect(reply.diagnostics[0]).toMatchObject({ severity: 'error', file, line: 4 });
    expect(await module.outputs()).toEqual(before);

    await module.edit('Counter.kt', 'fun text(', 'fun text()');
    const again = valueOf(await module.modified(file));
    expect(again).toMatchObject({ success: true, written: [], removed: [] });
    expect(await module.outputs()).toEqual(before);
  });

  test('an error in a full compile over existing outputs', async () => {
    const module = await seeded();
    const before = await module.outputs();
    const file = await module.edit('User.kt', 'Counter(', 'Countr(');
    const reply = valueOf(await module.compile({ kind: 'unknown' }, { jvmTarget: '17' }));
    expect(reply).toMatchObject({ success: false, written: [], removed: [] });
    expect(reply.diagnostics).toMatchObject([{ file, line: 4, column: 11, code: 'UNRESOLVED_REFERENCE' }]);
    expect(await module.outputs()).toEqual(before);
  });

  test('damaged caches are thrown away', async () => {
    const module = await seeded();
    const caches = join(module.cacheDir, 'incremental');
    const entries = await readdir(caches, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((found) => found.isFile())) {
      await writeFile(join(entry.parentPath, entry.name), 'damaged');
    }
    const file = await module.edit('Counter.kt', 'Count: ', 'Number: ');
    const reply = valueOf(await module.modified(file));
    expect(reply.success).toBe(true);
    expect(await module.outputs()).toEqual(await module.fullBuild());
  });

  test('caches that are gone', async () => {
    const module = await seeded();
    await rm(module.cacheDir, { recursive: true });
    const file = await module.edit('Counter.kt', 'Count: ', 'Number: ');
    expect(valueOf(await module.modified(file)).success).toBe(true);
    expect(await module.outputs()).toEqual(await module.fullBuild());
  });
});

describe('cancelling', () => {
  test('answers at once, and the next answer tells of what was written all the same', async () => {
    const module = await seeded();
    const file = await module.edit('Counter.kt', 'Count: ', 'Number: ');
    const abort = new AbortController();
    const started = performance.now();
    const call = module.compile(
      { kind: 'known', modified: [file], removed: [] },
      {},
      quietWork(abort.signal),
    );
    abort.abort();
    const canceled = await call;
    expect(canceled).toMatchObject({ ok: false, fault: { code: 'CANCELED' } });
    expect(performance.now() - started).toBeLessThan(500);

    const reply = valueOf(await module.modified(file));
    expect(reply.written).toEqual([join(module.outputDir, 'app/Counter.class')]);
    expect(await module.outputs()).toEqual(await module.fullBuild());
  });
});

const COUNTER = `package app

class Counter(private val n: Int) {
    fun text() = "Count: $n"
    fun each(f: (Int) -> Int) = listOf(1, 2).map { f(it) + n }
}

class Spare
`;
const USER = `package app

fun use(): String =
    "<" + Counter(Names.LIMIT).text() + ">"
`;
const NAMES = `package app;

public class Names {
    public static final int LIMIT = 3;
}
`;
