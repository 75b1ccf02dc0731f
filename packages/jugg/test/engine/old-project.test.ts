import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BuildState } from '../../src/engine/types.ts';
import { Bench, changedClasses, contentOf, quietWork, valueOf } from './support.ts';

// Cold compilers on a busy machine take their time; a fast one needs a tenth of it.
vi.setConfig({ testTimeout: 180_000 });

const JAVA = 'app/src/main/java/old/app';

/** Groovy, Java only, an old plug-in: R classes of constants that hold the names of the libraries too, and API 21. */
const FILES = {
  'settings.gradle':
    "include ':app', ':view', ':plain'\nproject(':plain').projectDir = new File(rootDir, 'other/plain')\n",
  'build.gradle':
    "buildscript {\n  repositories { google() }\n  dependencies { classpath 'com.android.tools.build:gradle:7.4.2' }\n}\n",
  'app/build.gradle': [
    "apply plugin: 'com.android.application'",
    'android {',
    "  namespace 'old.app'",
    '  compileSdkVersion 33',
    "  defaultConfig { applicationId 'old.id'; minSdkVersion 21; targetSdkVersion 33; versionCode 3 }",
    "  buildTypes { debug { applicationIdSuffix '.debug' } }",
    '}',
    "dependencies { implementation project(':view'); implementation project(path: ':plain') }",
  ].join('\n'),
  'view/build.gradle':
    "apply plugin: 'com.android.library'\nandroid { namespace 'old.view'; compileSdkVersion 33; defaultConfig { minSdkVersion 21 } }",
  'other/plain/build.gradle': "apply plugin: 'java-library'",
  'app/src/main/AndroidManifest.xml':
    '<manifest xmlns:android="http://schemas.android.com/apk/res/android"><application android:label="@string/label"><activity android:name=".Main" android:exported="true"/></application></manifest>',
  'app/src/main/res/layout/main.xml':
    '<TextView xmlns:android="http://schemas.android.com/apk/res/android" android:id="@+id/one" android:layout_width="1dp" android:layout_height="1dp" android:text="@string/label"/>',
  'view/src/main/res/values/strings.xml': '<resources><string name="label">Old</string></resources>',
  [`${JAVA}/Main.java`]: [
    'package old.app;',
    'public class Main extends android.app.Activity implements old.plain.Named {',
    '  int which(int id) { switch (id) { case R.id.one: return R.string.label; default: return 0; } }',
    '  String text() { return BuildConfig.APPLICATION_ID + name() + (Runnable) () -> {}; }',
    '}',
  ].join('\n'),
  [`${JAVA}/NoUser.java`]: 'package old.app;\nclass NoUser {}\n',
  'other/plain/src/main/java/old/plain/Named.java':
    'package old.plain;\npublic interface Named { default String name() { return "n"; } }\n',
};

describe('a project of old', () => {
  let bench: Bench;
  let state: BuildState;
  beforeAll(async () => {
    bench = await Bench.open(FILES);
    state = (await bench.build()).state;
  });
  afterAll(async () => bench.close());

  test('is built, packaged, and has no launcher', async () => {
    expect(state).toMatchObject({
      applicationId: 'old.id.debug',
      versionCode: 3,
      minSdk: 21,
      launcherActivity: null,
    });
    expect([...state.classes.keys()].sort()).toEqual([
      'old.app.BuildConfig',
      'old.app.Main',
      'old.app.NoUser',
      'old.app.R',
      'old.app.R$id',
      'old.app.R$layout',
      'old.app.R$string',
      'old.plain.Named',
      'old.view.BuildConfig',
      'old.view.R',
      'old.view.R$string',
    ]);
    valueOf(await bench.engine.packageApk(state, quietWork()));
  });

  test('a changed id reaches the class that copied it', async () => {
    await bench.replace('app/src/main/res/layout/main.xml', '@+id/one', '@+id/another');
    await bench.replace(`${JAVA}/Main.java`, 'R.id.one', 'R.id.another');
    const outcome = await bench.build();
    expect(changedClasses(state, outcome.state)).toEqual(['old.app.Main', 'old.app.R$id']);
    expect(outcome.compiledFiles).not.toContain(bench.path(`${JAVA}/NoUser.java`));
    state = outcome.state;
  });

  test('a default method changes the dex of the class that takes it over', async () => {
    const named = 'other/plain/src/main/java/old/plain/Named.java';
    await bench.replace(
      named,
      'default String name',
      'default String more() { return "m"; }\n  default String name',
    );
    const outcome = await bench.build();
    expect(changedClasses(state, outcome.state)).toContain('old.plain.Named');
    expect(outcome.state.classes.get('old.app.Main')?.dex).not.toBe(state.classes.get('old.app.Main')?.dex);
    state = outcome.state;
  });

  test('and is what a clean build makes', async () => {
    expect(contentOf(state)).toEqual(contentOf(await bench.cleanBuild()));
  });
});
