import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { compileSentence } from '../../src/actions/build-work.ts';
import { findAapt2 } from '../../src/toolchain/aapt2.ts';
import type { BuildState, CompileOutcome } from '../../src/engine/types.ts';
import {
  APP_JAVA,
  Bench,
  changedClasses,
  contentOf,
  MAIN,
  PARTS,
  quietWork,
  RES,
  valueOf,
} from './support.ts';

const PACKAGE = 'dev.jugg.sample.counter';

// Cold compilers on a busy machine take their time; a fast one needs a tenth of it.
vi.setConfig({ testTimeout: 180_000 });

describe('a copy of the sample, edited step by step', () => {
  let bench: Bench;
  /** The app after the last successful step. */
  let state: BuildState;
  let first: CompileOutcome;
  const phases: string[] = [];

  beforeAll(async () => {
    bench = await Bench.open();
    first = valueOf(await bench.compile(undefined, (phase) => void phases.push(phase)));
    state = first.state;
  });
  afterAll(async () => bench.close());

  /** Compiles, and answers the classes that changed. */
  async function step(): Promise<{ changed: string[]; compiled: string[]; before: BuildState }> {
    const before = state;
    const outcome = await bench.build();
    expect(outcome.kind).toBe('incremental');
    state = outcome.state;
    const compiled = outcome.compiledFiles.map((file) => file.slice(bench.projectDir.length + 1));
    return { changed: changedClasses(before, state), compiled: compiled.sort(), before };
  }

  test('a full build says why it is one, while it runs and afterwards', () => {
    expect(first).toMatchObject({ kind: 'full', rule: 'P2-no-baseline', reason: 'nothing was built yet' });
    expect(phases).toContain('Java :app (full build: nothing was built yet)');
    expect(compileSentence(first)).toMatch(
      /^Full build of \d+ files in \d+ ms, because nothing was built yet \(P2-no-baseline\)\.$/,
    );
  });

  test('the full build is an app that aapt2 accepts', async () => {
    expect(first.diagnostics.filter((one) => one.severity === 'error')).toEqual([]);
    expect(state).toMatchObject({
      module: ':app',
      variant: 'debug',
      applicationId: PACKAGE,
      minSdk: 26,
      launcherActivity: `${PACKAGE}.MainActivity`,
      debuggable: true,
    });
    const apk = valueOf(await bench.engine.packageApk(state, quietWork()));
    const aapt2 = valueOf(await findAapt2(quietWork(), { dirs: bench.dirs }));
    const { stdout } = await promisify(execFile)(aapt2.binary.path, ['dump', 'badging', apk]);
    expect(stdout).toContain(`package: name='${PACKAGE}' versionCode='1' versionName='1.0'`);
    expect(stdout).toContain("application-label-de:'Zähler'");
    expect(stdout).toContain(`launchable-activity: name='${PACKAGE}.MainActivity'`);
    expect(valueOf(await bench.engine.packageApk(state, quietWork()))).toBe(apk);
  });

  test('nothing changed, and touched files, are no change', async () => {
    await bench.touch(`${MAIN}/CountText.kt`);
    expect(valueOf(await bench.engine.changes(bench.projectDir))).toEqual({ changed: [], deleted: [] });
    const outcome = await bench.build();
    expect(outcome).toMatchObject({ kind: 'none', compiledFiles: [] });
    expect(outcome.state.id).toBe(state.id);
  });

  test('the body of a Kotlin function changes one class and no shape', async () => {
    await bench.replace(`${MAIN}/CountText.kt`, '"Count: $count"', '"Total: $count"');
    const changes = valueOf(await bench.engine.changes(bench.projectDir));
    expect(changes.changed).toMatchObject([{ file: bench.path(`${MAIN}/CountText.kt`), type: 'Kotlin' }]);
    const { changed, compiled, before } = await step();
    expect(changed).toEqual([`${PACKAGE}.CountTextKt`]);
    expect(changedClasses(before, state, 'shape')).toEqual([]);
    expect(compiled).toEqual([`${MAIN}/CountText.kt`]);
  });

  test('a reverted edit leaves nothing to do', async () => {
    await bench.replace(`${MAIN}/CountText.kt`, 'Total', 'Other');
    await bench.replace(`${MAIN}/CountText.kt`, 'Other', 'Total');
    expect((await bench.build()).kind).toBe('none');
  });

  test('a new Kotlin function changes the shape', async () => {
    const text = await bench.read(`${MAIN}/CountText.kt`);
    await bench.write(`${MAIN}/CountText.kt`, `${text}\nfun twice(count: Int): Int = 2 * count\n`);
    const { before } = await step();
    expect(changedClasses(before, state, 'shape')).toEqual([`${PACKAGE}.CountTextKt`]);
  });

  test('the body of a Java method changes one class', async () => {
    await bench.replace(`${APP_JAVA}/Greeting.java`, 'name.trim()', 'name.strip()');
    const { changed, compiled, before } = await step();
    expect(changed).toEqual([`${PACKAGE}.Greeting`]);
    expect(changedClasses(before, state, 'shape')).toEqual([]);
    expect(compiled).toEqual([`${APP_JAVA}/Greeting.java`]);
  });

  test('a changed Java signature reaches Kotlin and Java users', async () => {
    await bench.replace(`${APP_JAVA}/Greeting.java`, 'static String of', 'static CharSequence of');
    const { changed, compiled } = await step();
    expect(changed).toEqual([`${PACKAGE}.Greeting`, `${PACKAGE}.MainActivity`]);
    expect(compiled).toContain(`${MAIN}/MainActivity.kt`);
  });

  test('a changed constant reaches the class that copied it', async () => {
    await bench.write(
      `${APP_JAVA}/Limits.java`,
      `package ${PACKAGE};\nfinal class Limits { static final int MAX = 1; }\n`,
    );
    await bench.replace(
      `${APP_JAVA}/HistoryAdapter.java`,
      'return entries.size();',
      'return Math.max(Limits.MAX, entries.size());',
    );
    await step();
    await bench.replace(`${APP_JAVA}/Limits.java`, 'MAX = 1', 'MAX = 2');
    const { changed, compiled } = await step();
    expect(changed).toEqual([`${PACKAGE}.HistoryAdapter`, `${PACKAGE}.Limits`]);
    expect(compiled).toContain(`${APP_JAVA}/HistoryAdapter.java`);
  });

  test('a change in the library reaches the app only where it is seen', async () => {
    await bench.replace(`${PARTS}/CountHistory.kt`, 'entries.toList()', 'entries.toMutableList()');
    expect((await step()).changed).toEqual(['dev.jugg.sample.parts.CountHistory']);
    await bench.replace(
      `${PARTS}/CountHistory.kt`,
      'val step: Int, val count: Int',
      'val step: Long, val count: Int',
    );
    await bench.replace(`${PARTS}/CountHistory.kt`, 'record(step: Int', 'record(step: Long');
    await bench.replace(
      `${MAIN}/MainActivity.kt`,
      'CountHistory.record(step,',
      'CountHistory.record(step.toLong(),',
    );
    const { changed } = await step();
    expect(changed).toContain(`${PACKAGE}.HistoryAdapter`);
    expect(changed).toContain('dev.jugg.sample.parts.CountEntry');
  });

  test('a string changes resources and no class', async () => {
    await bench.replace(`${RES}/values-de/strings.xml`, '>Dazu<', '>Noch eins<');
    const { changed, compiled, before } = await step();
    expect(changed).toEqual([]);
    expect(state.resources).not.toBe(before.resources);
    expect(state.manifest).toBe(before.manifest);
    expect(compiled).toEqual([`${RES}/values-de/strings.xml`]);
  });

  test('a new id in a layout changes R', async () => {
    await bench.replace(
      `${RES}/layout/item_entry.xml`,
      '<LinearLayout',
      '<LinearLayout android:id="@+id/entry_row"',
    );
    expect((await step()).changed).toEqual([`${PACKAGE}.R$id`]);
  });

  test('an asset and the manifest are parts of their own', async () => {
    await bench.write('app/src/main/assets/more/a.txt', 'more');
    const first = await step();
    expect(first.changed).toEqual([]);
    expect(state.assets).not.toBe(first.before.assets);
    await bench.replace(
      'app/src/main/AndroidManifest.xml',
      'android:supportsRtl="true"',
      'android:supportsRtl="false"',
    );
    const second = await step();
    expect(state.manifest).not.toBe(second.before.manifest);
    expect(state.resources).toBe(second.before.resources);
  });

  test('a deleted file takes its classes away', async () => {
    await bench.write(
      `${APP_JAVA}/Spare.java`,
      `package ${PACKAGE};\nfinal class Spare { interface Part {} }\n`,
    );
    await bench.write(`${MAIN}/Extra.kt`, `package ${PACKAGE}\nclass Extra { object Part }\n`);
    const added = [`${PACKAGE}.Extra`, `${PACKAGE}.Extra$Part`, `${PACKAGE}.Spare`, `${PACKAGE}.Spare$Part`];
    expect((await step()).changed).toEqual(added);
    await bench.remove(`${APP_JAVA}/Spare.java`);
    await bench.remove(`${MAIN}/Extra.kt`);
    const before = state;
    const outcome = await bench.build();
    state = outcome.state;
    expect(changedClasses(before, state)).toEqual(added);
    expect(outcome.deletedFiles).toHaveLength(2);
  });

  test('another engine goes on where the last one stopped', async () => {
    await bench.restart();
    expect((await bench.engine.lastState(bench.projectDir))?.id).toBe(state.id);
    expect((await bench.build()).kind).toBe('none');
    await bench.replace(`${MAIN}/CountText.kt`, 'Total', 'Sum');
    const { changed, compiled } = await step();
    expect(changed).toEqual([`${PACKAGE}.CountTextKt`]);
    expect(compiled).toEqual([`${MAIN}/CountText.kt`]);
  });

  test('after all these steps the app is what a clean build makes', async () => {
    expect(contentOf(state)).toEqual(contentOf(await bench.cleanBuild()));
  });
});
