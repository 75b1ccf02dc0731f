import { writeFileSync } from 'node:fs';
import { appendFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BuildState } from '../../src/engine/types.ts';
import { ProjectStore } from '../../src/project/baseline.ts';
import type { WorkspaceFolder } from '../../src/project/workspace.ts';
import { APP_JAVA, Bench, changedClasses, contentOf, MAIN, PARTS, RES, valueOf } from './support.ts';

// Cold compilers on a busy machine take their time; a fast one needs a tenth of it.
vi.setConfig({ testTimeout: 180_000 });

describe('what goes wrong leaves the last good state', () => {
  let bench: Bench;
  let state: BuildState;

  beforeAll(async () => {
    bench = await Bench.open();
    state = (await bench.build()).state;
  });
  afterAll(async () => bench.close());

  async function expectUnchanged(): Promise<void> {
    expect((await bench.engine.lastState(bench.projectDir))?.id).toBe(state.id);
  }

  test('a Kotlin error has file, line and column, and is pending until mended', async () => {
    const text = await bench.read(`${MAIN}/CountText.kt`);
    await bench.write(`${MAIN}/CountText.kt`, text.replace('"Count: $count"', 'missing(count)'));
    const { fault, diagnostics } = await bench.fault();
    expect(fault.code).toBe('COMPILE_ERROR');
    const line = text.split('\n').findIndex((one) => one.startsWith('fun countText')) + 1;
    expect(diagnostics).toMatchObject([
      { severity: 'error', tool: 'kotlinc', file: bench.path(`${MAIN}/CountText.kt`), line },
    ]);
    expect(diagnostics[0]?.column).toBe('fun countText(count: Int): String = '.length + 1);
    expect(diagnostics[0]?.message).toContain('missing');
    await expectUnchanged();
    const changes = await bench.engine.changes(bench.projectDir);
    expect(changes.ok && changes.value.changed).toHaveLength(1);
    await bench.write(`${MAIN}/CountText.kt`, text);
    expect((await bench.build()).state.id).toBe(state.id);
  });

  test('a Java error too', async () => {
    await bench.replace(`${APP_JAVA}/Greeting.java`, 'name.trim();', 'nam.trim();');
    const { fault, diagnostics } = await bench.fault();
    expect(fault.code).toBe('COMPILE_ERROR');
    expect(diagnostics).toMatchObject([
      {
        severity: 'error',
        tool: 'javac',
        file: bench.path(`${APP_JAVA}/Greeting.java`),
        line: 11,
        column: 26,
      },
    ]);
    await expectUnchanged();
    await bench.replace(`${APP_JAVA}/Greeting.java`, 'nam.trim();', 'name.strip();');
    const outcome = await bench.build();
    expect(changedClasses(state, outcome.state)).toEqual(['dev.jugg.sample.counter.Greeting']);
    state = outcome.state;
  });

  test('an error in the app after the library was compiled: both are up to date once it is mended', async () => {
    await bench.replace(
      `${PARTS}/CountHistory.kt`,
      'val count: Int)',
      'val count: Int, val note: String = "")',
    );
    await bench.replace(`${MAIN}/CountText.kt`, 'String =', 'Strin =');
    expect((await bench.fault()).fault.code).toBe('COMPILE_ERROR');
    await expectUnchanged();
    await bench.replace(`${MAIN}/CountText.kt`, 'Strin =', 'String =');
    state = (await bench.build()).state;
    expect(contentOf(state)).toEqual(contentOf(await bench.cleanBuild()));
  });

  test('a deleted class that is still used is an error', async () => {
    const text = await bench.read(`${APP_JAVA}/HistoryAdapter.java`);
    await bench.remove(`${APP_JAVA}/HistoryAdapter.java`);
    try {
      const { diagnostics } = await bench.fault();
      expect(diagnostics[0]?.file).toBe(bench.path(`${APP_JAVA}/HistoryActivity.java`));
    } finally {
      await bench.write(`${APP_JAVA}/HistoryAdapter.java`, text);
    }
    expect((await bench.build()).state.id).toBe(state.id);
  });

  test('one class in two files is an error', async () => {
    await bench.write(`${APP_JAVA}/Copy.java`, 'package dev.jugg.sample.counter;\nfinal class Greeting {}\n');
    try {
      const { diagnostics } = await bench.fault();
      expect(diagnostics.some((one) => one.message.includes('duplicate class'))).toBe(true);
    } finally {
      await bench.remove(`${APP_JAVA}/Copy.java`);
    }
    expect((await bench.build()).state.id).toBe(state.id);
  });

  test('a changed signature whose user is not mended: only the user is wrong, and the next try is small', async () => {
    const file = `${APP_JAVA}/HistoryAdapter.java`;
    await bench.whileReplaced(
      file,
      'HistoryAdapter(Context context)',
      'HistoryAdapter(Context context, int x)',
      async () => {
        const { diagnostics } = await bench.fault();
        expect(diagnostics).toMatchObject([{ file: bench.path(`${APP_JAVA}/HistoryActivity.java`) }]);
      },
    );
    const outcome = await bench.build();
    expect(outcome.state.id).toBe(state.id);
    expect(outcome.compiledFiles).toEqual([]);
  });

  test('a broken resource names its file and line', async () => {
    const file = `${RES}/values/strings.xml`;
    await bench.whileReplaced(file, '>Add</string>', '>Add</strin>', async () => {
      const { fault, diagnostics } = await bench.fault();
      expect(fault.code).toBe('RESOURCE_ERROR');
      expect(diagnostics[0]).toMatchObject({
        severity: 'error',
        tool: 'aapt2',
        file: bench.path(file),
        line: 4,
      });
      await expectUnchanged();
    });
    expect((await bench.build()).state.id).toBe(state.id);
  });

  test('a reference to nothing names the layout', async () => {
    const file = `${RES}/layout/activity_history.xml`;
    await bench.whileReplaced(file, '@string/history_empty', '@string/nowhere', async () => {
      const { fault, diagnostics } = await bench.fault();
      expect(fault.code).toBe('RESOURCE_ERROR');
      expect(diagnostics[0]).toMatchObject({ file: bench.path(file) });
      expect(diagnostics[0]?.message).toContain('string/nowhere');
    });
    expect((await bench.build()).state.id).toBe(state.id);
  });

  test('an error in the manifest leads to its own file and line', async () => {
    const file = 'app/src/main/AndroidManifest.xml';
    await bench.whileReplaced(file, '@style/Theme.Counter', '@style/Theme.Nowhere', async () => {
      const { fault, diagnostics } = await bench.fault();
      expect(fault.code).toBe('RESOURCE_ERROR');
      expect(diagnostics[0]).toMatchObject({ tool: 'manifest', file: bench.path(file), line: 4 });
    });
    await bench.whileReplaced(file, '</application>', '</aplication>', async () => {
      const { diagnostics } = await bench.fault();
      expect(diagnostics[0]).toMatchObject({ tool: 'manifest', file: bench.path(file), line: 26 });
    });
    expect((await bench.build()).state.id).toBe(state.id);
  });

  test('a component with an intent filter that does not say whether it is exported', async () => {
    const file = 'app/src/main/AndroidManifest.xml';
    const text = await bench.read(file);
    const line = text.slice(0, text.indexOf('<activity')).split('\n').length;
    await bench.whileReplaced(file, 'android:exported="true"', '', async () => {
      const { fault, diagnostics } = await bench.fault();
      expect(fault.code).toBe('RESOURCE_ERROR');
      expect(diagnostics).toMatchObject([{ tool: 'manifest', file: bench.path(file), line }]);
      expect(diagnostics[0]?.message).toContain('android:exported');
    });
    expect((await bench.build()).state.id).toBe(state.id);
  });

  test('what takes the merger of the Android plug-in is named', async () => {
    const file = 'app/src/main/AndroidManifest.xml';
    await bench.whileReplaced(file, 'android:allowBackup="false"', 'android:allowBackup="${x}"', async () => {
      const { fault } = await bench.fault();
      expect(fault).toMatchObject({ code: 'FALLBACK_NEEDED', data: { fallback: { rule: 'P8-manifest' } } });
      expect(fault.message).toContain('${x}');
    });
    expect((await bench.build()).state.id).toBe(state.id);
  });

  test('a cancelled compile leaves the change pending', async () => {
    await bench.replace(`${MAIN}/CountText.kt`, '"Count: $count"', '"Sum: $count"');
    const controller = new AbortController();
    controller.abort();
    expect(await bench.compile(controller.signal)).toMatchObject({ ok: false, fault: { code: 'CANCELED' } });
    await expectUnchanged();
    const outcome = await bench.build();
    expect(changedClasses(state, outcome.state)).toEqual(['dev.jugg.sample.counter.CountTextKt']);
    state = outcome.state;
  });

  test('a compile that is cancelled in any of its phases leaves everything as it was', async () => {
    await bench.replace(`${PARTS}/CountHistory.kt`, 'val note: String', 'val remark: String');
    await bench.replace(`${APP_JAVA}/Greeting.java`, 'static String of', 'static CharSequence of');
    await bench.replace(`${RES}/values/strings.xml`, '>Add</string>', '>Plus</string>');
    const phases = ['Resources', 'Kotlin :library', 'Kotlin :app', 'Java :app', 'Dex'];
    for (const phase of phases) {
      const controller = new AbortController();
      const stop = (name: string): void => {
        // After the phase has sent its request: it comes right after its name is told.
        if (name === phase) setTimeout(() => controller.abort(), 5);
      };
      const result = await bench.compile(controller.signal, stop);
      // A phase that is over in a moment, or can no longer be stopped, ends well.
      if (result.ok) break;
      expect(result.fault.code).toBe('CANCELED');
      await expectUnchanged();
    }
    state = (await bench.build()).state;
    expect(contentOf(state)).toEqual(contentOf(await bench.cleanBuild()));
  });

  test('sources that are saved while they are compiled are compiled again', async () => {
    const files = { 'Kotlin :app': `${MAIN}/CountText.kt`, 'Java :app': `${APP_JAVA}/Greeting.java` };
    const texts = new Map<string, string>();
    for (const file of Object.values(files)) texts.set(file, await bench.read(file));
    await bench.write(files['Kotlin :app'], `${texts.get(files['Kotlin :app'])}\n\nfun first() = 1\n`);
    await bench.replace(files['Java :app'], 'name.strip()', 'name.toString()');
    // Right before the compiler reads them: nobody knows which text it got.
    const save = (phase: string): void => {
      for (const [name, file] of Object.entries(files))
        if (name === phase) writeFileSync(bench.path(file), texts.get(file) ?? '');
    };
    expect(await bench.compile(undefined, save)).toMatchObject({ ok: true });
    const outcome = await bench.build();
    expect(outcome.kind).toBe('incremental');
    // And a user of the Java class, which Kotlin's compiler cannot tell from one of a changed signature.
    const both = Object.values(files).map((file) => bench.path(file));
    expect(outcome.compiledFiles).toEqual(expect.arrayContaining(both));
    expect(outcome.state.id).toBe(state.id);
    expect((await bench.build()).kind).toBe('none');
  });

  test('outputs that a dead process was writing are made anew', async () => {
    await bench.restart();
    const store = new ProjectStore(bench.dirs.state, bench.projectDir);
    const { busy } = await workspaceOf(store);
    await busy.set('module-%3Aapp');
    await store.busy.set('resources');
    await bench.replace(`${APP_JAVA}/Greeting.java`, 'name.strip()', 'name.trim()');
    state = (await bench.build()).state;
    expect(bench.log.join('\n')).toContain('P7-incremental');
    // Records are written behind the answer.
    await vi.waitFor(async () => expect(await busy.has('module-%3Aapp')).toBe(false), 60_000);
    expect(contentOf(state)).toEqual(contentOf(await bench.cleanBuild()));
  });

  test('a build file that is not understood is named', async () => {
    const file = 'app/build.gradle.kts';
    await appendFile(bench.path(file), '\nandroid { flavorDimensions += "x" }\n');
    const { fault } = await bench.fault();
    expect(fault.code).toBe('FALLBACK_NEEDED');
    expect(fault.data).toMatchObject({ fallback: { used: false, rule: 'P1-build-file' } });
    expect(fault.message).toContain('flavorDimensions');
    await bench.replace(file, '\nandroid { flavorDimensions += "x" }\n', '');
    expect((await bench.build()).state.id).toBe(state.id);
  });

  test('a mistake in a build file is told with its place, also where it hides the app', async () => {
    const told = async (file: string, from: string, to: string): Promise<string> => {
      let message = '';
      await bench.whileReplaced(file, from, to, async () => {
        const { fault } = await bench.fault();
        expect(fault.code).toBe('FALLBACK_NEEDED');
        message = fault.message.replaceAll(bench.projectDir, '');
      });
      return message;
    };
    const end = ', which Gradle does not take either. Mend it and call again.';
    const app = 'app/build.gradle.kts';
    expect(await told(app, 'versionCode = 1', 'versionCode 1')).toMatch(
      /^\/app\/build\.gradle\.kts:\d+:9: a call without brackets, `versionCode …`, in a Kotlin file, which/,
    );
    expect(await told(app, 'plugins {', 'plugins {{')).toContain(`.kts:1:9: \`{\` without its \`}\`${end}`);
    expect(await told('settings.gradle.kts', 'include(":app", ', "include(':app', ")).toBe(
      `/settings.gradle.kts:18:9: a text in single quotes, ':app', in a Kotlin file${end}`,
    );
    expect(await told(app, 'project(":library")', 'project(":nowhere")')).toMatch(
      /^\/app\/build\.gradle\.kts:\d+: the module :nowhere is not in the settings/,
    );
    expect((await bench.build()).state.id).toBe(state.id);
  });

  test('a damaged or missing store is built anew, with the reason', async () => {
    const store = new ProjectStore(bench.dirs.state, bench.projectDir);
    await bench.restart();
    const folder = await workspaceOf(store);
    await writeFile(join(store.root, 'baseline.json'), '{"format":2');
    await rm(join(folder.moduleDir(':app'), 'kotlin'), { recursive: true });
    await rm(join(store.root, 'dex'), { recursive: true });
    expect(await bench.engine.lastState(bench.projectDir)).toBeNull();
    const outcome = await bench.build();
    expect(outcome.kind).toBe('full');
    expect(outcome.state.id).toBe(state.id);
    expect(bench.log.join('\n')).toMatch(/P2-no-baseline.*damaged/);
  });

  test('a baseline of another project is not used, with the reason', async () => {
    const store = new ProjectStore(bench.dirs.state, bench.projectDir);
    const elsewhere = join(bench.folder, 'elsewhere');
    await mkdir(elsewhere);
    for (const file of ['settings.gradle.kts', 'build.gradle.kts', 'gradle.properties', 'app', 'library'])
      await cp(join(bench.projectDir, file), join(elsewhere, file), { recursive: true });
    await cp(store.root, new ProjectStore(bench.dirs.state, elsewhere).root, { recursive: true });
    expect(await bench.engine.lastState(elsewhere)).toBeNull();
    const said = valueOf(await bench.engine.explain({ projectDir: elsewhere }));
    expect(said).toMatchObject({ kind: 'full', rule: 'P2-no-baseline' });
    expect(said.reason).toContain(bench.projectDir);
  });
});

async function workspaceOf(store: ProjectStore): Promise<WorkspaceFolder> {
  const baseline = await store.loadBaseline();
  if (!baseline.ok) throw new Error(baseline.reason);
  return store.workspace(baseline.value);
}

test('a folder without a Gradle project, and an unknown module or variant', async () => {
  const bench = await Bench.open();
  try {
    const compile = async (more: object): Promise<string> => {
      const request = { projectDir: bench.projectDir, allowGradle: false, ...more };
      const result = await bench.engine.compile(request, {
        signal: new AbortController().signal,
        phase: () => {},
        log: () => {},
      });
      return result.ok ? 'ok' : result.fault.code;
    };
    expect(await compile({ projectDir: bench.folder })).toBe('INVALID_PARAMS');
    expect(await compile({ module: ':nowhere' })).toBe('INVALID_PARAMS');
    expect(await compile({ module: 'library' })).toBe('INVALID_PARAMS');
    expect(await compile({ variant: 'release' })).toBe('FEATURE_NOT_SUPPORTED');
    const info = await bench.engine.describe(bench.projectDir);
    expect(info).toMatchObject({
      ok: true,
      value: {
        name: 'counter',
        modules: [
          { name: ':app', kind: 'app' },
          { name: ':library', kind: 'library' },
        ],
        applicationId: 'dev.jugg.sample.counter',
        variant: 'debug',
        hasBeenFullCompiled: false,
        lastCompileAtMs: null,
      },
    });
  } finally {
    await bench.close();
  }
});

test("a state folder that cannot be used is the machine's fault, not a bug", async () => {
  const bench = await Bench.open();
  try {
    await mkdir(dirname(bench.dirs.state), { recursive: true });
    await writeFile(bench.dirs.state, 'a file in its place');
    const { fault } = await bench.fault();
    expect(fault.code).toBe('ENVIRONMENT_ERROR');
    expect(fault.message).toContain(bench.dirs.state);
  } finally {
    await bench.close();
  }
});
