import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CompileOutcome, Explanation } from '../../src/engine/types.ts';
import { APP_JAVA, Bench, MAIN, PARTS, RES, valueOf } from './support.ts';

// Cold compilers on a busy machine take their time; a fast one needs a tenth of it.
vi.setConfig({ testTimeout: 180_000 });

/** Phases that belong to every compile, and to no plan. */
const ALWAYS = ['Changes', 'Tools'];
const IF_NEEDED = ' (if needed)';

describe('what explain says, and what compile then does', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(async () => bench.close());

  async function explain(): Promise<Explanation> {
    return valueOf(await bench.engine.explain({ projectDir: bench.projectDir }));
  }

  /** Explains, compiles, and holds the two together. */
  async function both(): Promise<{ said: Explanation; did: CompileOutcome; again: string[] }> {
    const said = await explain();
    const did = await bench.build();
    expect(bench.log.find((line) => line.startsWith('Plan: '))).toBe(
      `Plan: ${said.kind} (${said.rule}): ${said.reason}`,
    );
    const again = said.recompileBecause.map(({ file }) => file);
    const untold = did.compiledFiles.filter((file) => ![...said.files, ...again].includes(file));
    expect(untold).toEqual([]);
    const phases = Object.keys(did.timings).filter((phase) => !ALWAYS.includes(phase));
    expect(said.stages.map((stage) => stage.replace(IF_NEEDED, ''))).toEqual(expect.arrayContaining(phases));
    expect(phases).toEqual(expect.arrayContaining(said.stages.filter((stage) => !stage.endsWith(IF_NEEDED))));
    return { said, did, again: again.map((file) => file.slice(bench.projectDir.length + 1)).sort() };
  }

  test('before the first build: everything', async () => {
    const said = await explain();
    expect(said).toMatchObject({ kind: 'full', rule: 'P2-no-baseline', estimateMs: null });
    expect(said.supported).toContainEqual({ feature: 'Java', how: 'incremental' });
    const { did } = await both();
    expect(did.kind).toBe('full');
    expect(said.files.toSorted()).toEqual(did.compiledFiles.toSorted());
  });

  test('nothing to do', async () => {
    const { said } = await both();
    expect(said).toMatchObject({ kind: 'none', rule: 'P6-no-changes', files: [], stages: [] });
  });

  test('a Kotlin function', async () => {
    await bench.replace(`${MAIN}/CountText.kt`, '"Count: $count"', '"Total: $count"');
    const { said, again } = await both();
    expect(said).toMatchObject({ kind: 'incremental', files: [bench.path(`${MAIN}/CountText.kt`)] });
    expect(again).toEqual([`${MAIN}/MainActivity.kt`]);
    expect(said.recompileBecause[0]?.because).toBe('uses dev.jugg.sample.counter.CountTextKt, which changed');
  });

  test('the body and the signature of a Java method', async () => {
    await bench.replace(`${APP_JAVA}/Greeting.java`, 'name.trim()', 'name.strip()');
    const body = await both();
    expect(body.again).toContain(`${MAIN}/MainActivity.kt`);
    expect(body.said.estimateMs).toBeGreaterThan(0);
    await bench.replace(`${APP_JAVA}/Greeting.java`, 'static String of', 'static CharSequence of');
    const { did, said } = await both();
    expect(did.compiledFiles).toContain(bench.path(`${MAIN}/MainActivity.kt`));
    const because = said.recompileBecause.find(({ file }) => file.endsWith('MainActivity.kt'))?.because;
    expect(because).toContain('Greeting');
  });

  test('a library class that the app uses', async () => {
    await bench.replace(
      `${PARTS}/CountHistory.kt`,
      'val count: Int)',
      'val count: Int, val note: String = "")',
    );
    const { again } = await both();
    expect(again).toContain(`${MAIN}/MainActivity.kt`);
    expect(again).toContain(`${APP_JAVA}/HistoryAdapter.java`);
  });

  test('a text, which is no code', async () => {
    await bench.replace(`${RES}/values-de/strings.xml`, '>Dazu<', '>Noch eins<');
    const { said } = await both();
    expect(said.files).toEqual([bench.path(`${RES}/values-de/strings.xml`)]);
    expect(said.stages).toEqual(['Resources', 'Dex of libraries']);
    expect(said.recompileBecause).toEqual([]);
  });

  test('a new id, which R has', async () => {
    await bench.replace(
      `${RES}/layout/item_entry.xml`,
      '<LinearLayout',
      '<LinearLayout android:id="@+id/entry_row"',
    );
    const { said } = await both();
    expect(said.stages).toContain('Java :app');
  });

  test('a new and a deleted source', async () => {
    await bench.write(`${APP_JAVA}/Extra.java`, 'package dev.jugg.sample.counter;\nfinal class Extra {}\n');
    expect((await both()).said.files).toEqual([bench.path(`${APP_JAVA}/Extra.java`)]);
    await bench.remove(`${APP_JAVA}/Extra.java`);
    expect((await both()).said).toMatchObject({ kind: 'incremental', files: [] });
  });

  test('while a build runs it answers at once', async () => {
    await bench.replace(`${MAIN}/CountText.kt`, 'Total', 'Sum');
    let during: Promise<Explanation> | undefined;
    const building = bench.compile(undefined, (phase) => {
      if (phase.startsWith('Kotlin')) during ??= explain();
    });
    expect((await during) ?? (await building.then(() => during))).toMatchObject({ kind: 'incremental' });
    valueOf(await building);
    expect(await explain()).toMatchObject({ kind: 'none' });
    await bench.restart();
    expect(await explain()).toMatchObject({ kind: 'none', estimateMs: null });
  });

  test('changed build files, and one that Jugg cannot read', async () => {
    await bench.replace('app/build.gradle.kts', 'versionCode = 1', 'versionCode = 2');
    expect((await both()).said).toMatchObject({ kind: 'full', rule: 'P5-build-file' });
    await bench.replace(
      'app/build.gradle.kts',
      'dependencies {',
      'dependencies {\n    implementation("com.squareup.okio:okio:3.9.0")',
    );
    const said = await explain();
    expect(said).toMatchObject({ kind: 'gradle', rule: 'P1-build-file', files: [], stages: [] });
    expect(said.supported.find(({ how }) => how === 'refused')?.feature).toContain('okio');
    expect(await bench.fault()).toMatchObject({ fault: { code: 'FALLBACK_NEEDED' } });
  });
});
