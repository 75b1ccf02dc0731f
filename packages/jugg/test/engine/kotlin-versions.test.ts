import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { compilerOf, KOTLIN_COMPILER, languageArguments } from '../../src/project/kotlin-version.ts';
import { createEngine } from '../../src/engine/index.ts';
import { onPath } from '../../src/toolchain/child.ts';
import { findJdk } from '../../src/toolchain/jdk.ts';
import { defaultPlaces, localRepository } from '../../src/toolchain/maven/local-repository.ts';
import { HOST_FILES } from '../toolchain/support.ts';
import { Bench, changedClasses, contentOf, quietWork, valueOf } from './support.ts';

// Cold compilers on a busy machine take their time; a fast one needs a tenth of it.
vi.setConfig({ testTimeout: 180_000 });

const KOTLIN = 'app/src/main/kotlin/pk';

function project(kotlin: string, plugin: string, more = ''): Record<string, string> {
  return {
    'settings.gradle.kts': 'include(":app")\n',
    'build.gradle.kts': `plugins {\n  id("com.android.application") version "8.13.2" apply false\n  kotlin("android") version "${kotlin}" apply false\n}\n`,
    'app/build.gradle.kts': `plugins {\n  id("com.android.application")\n  kotlin("android")\n${plugin}}\nandroid {\n  namespace = "t.pk"\n  compileSdk = 35\n  defaultConfig { minSdk = 26 }\n  compileOptions { sourceCompatibility = JavaVersion.VERSION_17\n targetCompatibility = JavaVersion.VERSION_17 }\n}\n${more}`,
    'app/src/main/AndroidManifest.xml':
      '<manifest xmlns:android="http://schemas.android.com/apk/res/android"><application/></manifest>',
  };
}

test('the version in the sources is that of the compile host', async () => {
  expect(await readFile(HOST_FILES.list, 'utf8')).toContain(`kotlin-build-tools-impl:${KOTLIN_COMPILER}"`);
});

test.each([
  ['1.8.22', null, null],
  ['1.9.24', '2.3.21', '1.9'],
  ['2.0.21', KOTLIN_COMPILER, '2.0'],
  ['2.4.0', KOTLIN_COMPILER, null],
  ['2.10.0', KOTLIN_COMPILER, null],
])('the language of Kotlin %s', (version, compiler, argument) => {
  expect(compilerOf(version)).toBe(compiler);
  if (compiler !== null)
    expect(languageArguments(version).slice(0, 2)).toEqual(
      argument === null ? [] : ['-language-version', argument],
    );
});

test('a plug-in of the compiler works in full and in incremental builds', async () => {
  const bench = await Bench.open({
    ...project(
      KOTLIN_COMPILER,
      '  kotlin("plugin.sam.with.receiver") version "2.4.21"\n',
      'samWithReceiver { annotation("pk.WithReceiver") }\n',
    ),
    'app/src/main/java/pk/WithReceiver.java': 'package pk;\npublic @interface WithReceiver {}\n',
    'app/src/main/java/pk/Action.java':
      'package pk;\n@WithReceiver\npublic interface Action { int run(String s); }\n',
    [`${KOTLIN}/Use.kt`]: 'package pk\nfun use() = Action { length + 1 }\n',
  });
  try {
    const said = valueOf(await bench.engine.explain({ projectDir: bench.projectDir }));
    expect(said.supported).toContainEqual({
      feature: 'the plug-in org.jetbrains.kotlin.plugin.sam.with.receiver',
      how: 'incremental',
    });
    const { state } = await bench.build();
    await bench.replace(`${KOTLIN}/Use.kt`, '+ 1', '+ 2');
    const next = await bench.build();
    expect(next.kind).toBe('incremental');
    expect(changedClasses(state, next.state)).toEqual(['pk.UseKt']);
    expect(contentOf(next.state)).toEqual(contentOf(await bench.cleanBuild()));
    // Without it the lambda has a parameter in place of a receiver.
    await bench.replace('app/build.gradle.kts', 'annotation("pk.WithReceiver")', 'annotation("pk.Other")');
    const { diagnostics } = await bench.fault();
    expect(diagnostics[0]?.file).toBe(bench.path(`${KOTLIN}/Use.kt`));
  } finally {
    await bench.close();
  }
});

test('an older language is taken for what it is, a too old one is named', async () => {
  const guard = 'package pk\nfun f(x: Any) = when (x) {\n  is String if x.isEmpty() -> 1\n  else -> 2\n}\n';
  const bench = await Bench.open({ ...project('2.1.0', ''), [`${KOTLIN}/F.kt`]: guard });
  try {
    // Guards in `when` are part of Kotlin 2.2.
    const { diagnostics } = await bench.fault();
    expect(diagnostics).toMatchObject([{ file: bench.path(`${KOTLIN}/F.kt`), line: 3 }]);
    await bench.write(`${KOTLIN}/F.kt`, guard.replace(' if x.isEmpty()', ''));
    expect((await bench.build()).diagnostics).toEqual([]);
    await bench.replace('build.gradle.kts', '"2.1.0"', '"1.8.22"');
    const said = valueOf(await bench.engine.explain({ projectDir: bench.projectDir }));
    expect(said).toMatchObject({ kind: 'gradle', rule: 'P1-build-file' });
    expect(said.reason).toContain('Kotlin 1.8.22');
  } finally {
    await bench.close();
  }
});

test('Kotlin 1.9 is compiled by the newest compiler that takes it, incrementally and with plug-ins', async () => {
  const noArg = 'noArg { annotation("pk.Empty") }\n';
  const bench = await Bench.open({
    ...project('1.9.24', '  kotlin("plugin.noarg") version "1.9.24"\n', noArg),
    [`${KOTLIN}/Empty.kt`]: 'package pk\nannotation class Empty\n@Empty class Full(val n: Int)\n',
    [`${KOTLIN}/Use.kt`]: 'package pk\nfun use() = Full(1).n + LIMIT\n',
    [`${KOTLIN}/Limit.kt`]: 'package pk\nconst val LIMIT = 1\n',
  });
  try {
    const said = valueOf(await bench.engine.explain({ projectDir: bench.projectDir }));
    const feature = 'Kotlin 1.9.24 (by the compiler 2.3.21, the newest that takes it)';
    expect(said.supported).toContainEqual({ feature, how: 'incremental' });
    const { state } = await bench.build();
    await bench.replace(`${KOTLIN}/Limit.kt`, '= 1', '= 2');
    const next = await bench.build();
    expect(next.compiledFiles).toHaveLength(2);
    expect(changedClasses(state, next.state)).toEqual(['pk.LimitKt', 'pk.UseKt']);
    expect(contentOf(next.state)).toEqual(contentOf(await bench.cleanBuild()));
    // A data object is part of Kotlin 1.9, a guard is not.
    await bench.write(`${KOTLIN}/One.kt`, 'package pk\ndata object One\nval bad: Int = ""\n');
    const { diagnostics } = await bench.fault();
    expect(diagnostics).toMatchObject([
      { file: bench.path(`${KOTLIN}/One.kt`), line: 3, column: 16, tool: 'kotlinc' },
    ]);
  } finally {
    await bench.close();
  }
});

/** A Maven repository at `to` that has all that is in the one at `from`, but for what lies at the path `without`. */
async function repositoryWithout(without: readonly string[], from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const [next = '', ...rest] = without;
  for (const name of await readdir(from)) if (name !== next) await symlink(join(from, name), join(to, name));
  if (rest.length > 0) await repositoryWithout(rest, join(from, next), join(to, next));
}

test.each([
  {
    missing: ['kotlin-noarg-compiler-plugin-embeddable'],
    version: KOTLIN_COMPILER,
    rule: 'P9-compiler-plugin',
    named:
      'the plug-in org.jetbrains.kotlin.plugin.noarg takes org.jetbrains.kotlin:kotlin-noarg-compiler-plugin-embeddable:',
  },
  {
    missing: ['kotlin-build-tools-impl', '2.3.21'],
    version: '1.9.24',
    rule: 'P10-kotlin-compiler',
    named: 'Kotlin 1.9.24 takes the compiler 2.3.21',
  },
])('what cannot be had is named, with its rule: $rule', async ({ missing, version, rule, named }) => {
  const bench = await Bench.open({
    ...project(version, `  kotlin("plugin.noarg") version "${version}"\n`),
    [`${KOTLIN}/F.kt`]: 'package pk\nfun f() = 1\n',
  });
  const real = await localRepository(defaultPlaces(process.env, await onPath('mvn')));
  const repository = join(bench.folder, 'repository');
  await repositoryWithout(['org', 'jetbrains', 'kotlin', ...missing], real, repository);
  const JAVA_HOME = valueOf(await findJdk({})).home;
  // No Maven on the path either: nothing can be fetched.
  const env = {
    ...process.env,
    PATH: '/nowhere',
    JAVA_HOME,
    MAVEN_OPTS: `-Dmaven.repo.local="${repository}"`,
  };
  const engine = createEngine({ dirs: bench.dirs, files: bench.files, env });
  try {
    const result = await engine.compile({ projectDir: bench.projectDir, allowGradle: false }, quietWork());
    if (result.ok) throw new Error('the compile should have failed');
    const { code, message, data } = result.fault;
    expect(code).toBe('FALLBACK_NEEDED');
    expect(data).toMatchObject({ fallback: { used: false, rule } });
    expect(message).toContain(named);
    expect(message).toContain('no `mvn` on the path');
  } finally {
    await engine.close();
    await bench.close();
  }
});
