import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { BuildState, Explanation } from '../../src/engine/types.ts';
import { bundleForTest } from '../bundle.ts';
import { APP_JAVA, Bench, contentOf, MAIN, PARTS, quietWork, valueOf } from './support.ts';

// Cold compilers on a busy machine take their time; a fast one needs a tenth of it.
vi.setConfig({ testTimeout: 240_000 });

const APP_BUILD = 'app/build.gradle.kts';
const GOES_ON = '; what was compiled already is used';

let bench: Bench;
let scripts: string;
/** The last good build. */
let good: BuildState;

beforeAll(async () => {
  bench = await Bench.open();
  scripts = await mkdtemp(join(tmpdir(), 'jugg-undo-'));
  await bundleForTest(join(import.meta.dirname, 'engine-child.ts'), scripts);
  good = (await bench.build()).state;
}, 240_000);

afterAll(async () => {
  await bench.close();
  await rm(scripts, { recursive: true, force: true });
});

async function explained(): Promise<Explanation> {
  return valueOf(await bench.engine.explain({ projectDir: bench.projectDir }));
}

/** What a device and a person are told is what it was, and can still be installed. */
async function expectGood(): Promise<void> {
  expect((await bench.engine.lastState(bench.projectDir))?.id).toBe(good.id);
  const info = await bench.engine.describe(bench.projectDir);
  expect(info).toMatchObject({ value: { hasBeenFullCompiled: true, noBaseline: null } });
  valueOf(await bench.engine.packageApk(good, quietWork()));
}

/** Runs a compile in a process of its own and kills that at the first phase of this name. */
async function killedIn(phase: string): Promise<void> {
  await bench.restart();
  const { projectDir, dirs, files } = bench;
  const argument = JSON.stringify({ projectDir, dirs, files });
  const child = spawn(process.execPath, [join(scripts, 'engine-child.mjs'), argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('exit', (_, signal) => resolve(signal)),
  );
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith(phase)) break;
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
}

test('a full build that does not compile leaves the last good one, and mending goes on from there', async () => {
  await bench.whileReplaced(APP_BUILD, 'versionCode = 1', 'versionCode = 2', async () => {
    expect(await explained()).toMatchObject({ rule: 'P5-build-file', reason: 'the build files changed' });
    await bench.whileReplaced(`${MAIN}/CountText.kt`, '"Count: $count"', 'missing(count)', async () => {
      const { diagnostics } = await bench.fault();
      expect(diagnostics).toMatchObject([{ file: bench.path(`${MAIN}/CountText.kt`) }]);
      await expectGood();
      // Why everything is built still stands.
      const said = { kind: 'full', rule: 'P5-build-file', reason: `the build files changed${GOES_ON}` };
      expect(await explained()).toMatchObject(said);
    });
    const mended = await bench.build();
    expect(mended).toMatchObject({ kind: 'full', rule: 'P5-build-file' });
    // The library and what of the app had nothing to do with the error was compiled already.
    expect(mended.compiledFiles.filter((file) => file.includes('/library/'))).toEqual([]);
    expect(contentOf(mended.state)).toEqual(contentOf(await bench.cleanBuild()));
  });
  // Back to the build files before: their outputs are still there.
  const back = await bench.build();
  expect(back).toMatchObject({ kind: 'full', reason: `the build files changed${GOES_ON}` });
  expect(back.compiledFiles).toEqual([]);
  expect(back.state.id).toBe(good.id);
});

test('build files that are put back after a failed build have cost nothing', async () => {
  await bench.whileReplaced(APP_BUILD, 'versionCode = 1', 'versionCode = 3', () =>
    bench.whileReplaced(`${APP_JAVA}/Greeting.java`, 'name.trim()', 'name.missing()', async () => {
      expect((await bench.fault()).fault.code).toBe('COMPILE_ERROR');
    }),
  );
  await expectGood();
  await bench.whileReplaced(`${APP_JAVA}/Greeting.java`, 'name.trim()', 'name.strip()', async () => {
    expect(await explained()).toMatchObject({ kind: 'incremental', rule: 'P7-incremental' });
    const outcome = await bench.build();
    expect(outcome).toMatchObject({ kind: 'incremental' });
    expect(outcome.compiledFiles).toEqual([bench.path(`${APP_JAVA}/Greeting.java`)]);
    expect(contentOf(outcome.state)).toEqual(contentOf(await bench.cleanBuild()));
  });
  good = (await bench.build()).state;
});

test('so it is when a full build is cancelled', async () => {
  await bench.whileReplaced(APP_BUILD, 'versionCode = 1', 'versionCode = 4', async () => {
    const controller = new AbortController();
    const result = await bench.compile(controller.signal, (name) => {
      if (name.startsWith('Kotlin :app')) controller.abort();
    });
    expect(result).toMatchObject({ ok: false, fault: { code: 'CANCELED' } });
    await expectGood();
    expect(await explained()).toMatchObject({ kind: 'full', rule: 'P5-build-file' });
  });
  expect(await bench.build()).toMatchObject({ kind: 'none', state: { id: good.id } });
});

test('and when its process is killed', async () => {
  await bench.whileReplaced(APP_BUILD, 'versionCode = 1', 'versionCode = 5', async () => {
    await killedIn('Java :library');
    await expectGood();
    const said = { kind: 'full', reason: `the build files changed${GOES_ON}` };
    expect(await explained()).toMatchObject(said);
  });
  expect(await bench.build()).toMatchObject({ kind: 'none', state: { id: good.id } });
  await bench.whileReplaced(APP_BUILD, 'versionCode = 1', 'versionCode = 5', async () => {
    await killedIn('Java :app');
    const outcome = await bench.build();
    expect(outcome.compiledFiles.filter((file) => file.includes('/library/'))).toEqual([]);
    expect(contentOf(outcome.state)).toEqual(contentOf(await bench.cleanBuild()));
  });
  expect((await bench.build()).state.id).toBe(good.id);
});

test('a process that is killed in an incremental build leaves the last good one, too', async () => {
  await bench.whileReplaced(`${PARTS}/CountHistory.kt`, 'fun clear()', 'fun clear(): Unit', async () => {
    await bench.replace(`${PARTS}/CountHistory.kt`, 'val step: Int', 'val step: Long');
    await bench.replace(`${PARTS}/CountHistory.kt`, 'record(step: Int', 'record(step: Long');
    for (const phase of ['Kotlin :library', 'Kotlin :app']) {
      await killedIn(phase);
      await expectGood();
    }
    const { diagnostics } = await bench.fault();
    expect(diagnostics[0]?.file).toContain('/app/');
    await expectGood();
  });
  expect((await bench.build()).state.id).toBe(good.id);
});
