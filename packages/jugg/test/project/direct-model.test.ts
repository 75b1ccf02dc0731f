import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBuildFile } from '../../src/project/build-file.ts';
import { readProject } from '../../src/project/direct-model.ts';
import type { ProjectModel } from '../../src/project/model.ts';
import { readRootBuild } from '../../src/project/root-build.ts';

const SAMPLE = fileURLToPath(new URL('../../../../samples/counter', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jugg-model ö-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function project(name: string, files: Record<string, string>): Promise<ProjectModel> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name, path)), { recursive: true });
    await writeFile(join(folder, name, path), text);
  }
  const model = await readProject(join(folder, name));
  if (!model.ok) throw new Error(model.fault.message);
  return model.value;
}

test('the sample is understood', async () => {
  const model = await readProject(join(SAMPLE, 'app', 'src'));
  if (!model.ok) throw new Error(model.fault.message);
  expect(model.value).toMatchObject({
    projectDir: SAMPLE,
    name: 'counter',
    kotlinVersion: '2.4.21',
    nonTransitiveR: true,
    nonFinalR: true,
    refusals: [],
  });
  expect(model.value.modules).toMatchObject([
    {
      name: ':app',
      kind: 'app',
      applicationId: 'dev.jugg.sample.counter',
      minSdk: 26,
      targetSdk: 34,
      compileSdk: 35,
      versionName: '1.0',
      javaRelease: 17,
      jvmTarget: '17',
      buildConfig: true,
      dependencies: [{ configuration: 'implementation', kind: 'project', target: ':library' }],
      refusals: [],
    },
    { name: ':library', kind: 'library', namespace: 'dev.jugg.sample.parts', refusals: [] },
  ]);
  expect(model.value.modules[0]?.testDependencies).toHaveLength(2);
});

test('a folder that is no Gradle project says so', async () => {
  const model = await readProject(folder);
  expect(model).toMatchObject({ ok: false, fault: { code: 'INVALID_PARAMS' } });
});

test('an old project in Groovy with versions in ext', async () => {
  const model = await project('old', {
    'settings.gradle': "include ':app'",
    'build.gradle': [
      'buildscript {',
      "  ext.kotlin_version = '1.9.24'",
      '  repositories { google() }',
      '  dependencies {',
      "    classpath 'com.android.tools.build:gradle:7.4.2'",
      '    classpath "org.jetbrains.kotlin:kotlin-gradle-plugin:$kotlin_version"',
      '  }',
      '}',
      'allprojects { repositories { google() } }',
      "ext { target = 33; nested = 'x' }",
      'task clean(type: Delete) { delete rootProject.buildDir }',
    ].join('\n'),
    'app/build.gradle': [
      "apply plugin: 'com.android.application'",
      "apply plugin: 'kotlin-android'",
      'android {',
      "  namespace 'a.b'",
      '  compileSdkVersion 33',
      '  defaultConfig {',
      "    applicationId 'a.b.c'; minSdkVersion 21; targetSdkVersion rootProject.ext.target",
      '    versionCode 7',
      "    versionName '7.1'",
      '  }',
      '  buildTypes {',
      "    debug { applicationIdSuffix '.debug'; versionNameSuffix '-d' }",
      '    release { minifyEnabled true }',
      '  }',
      '  compileOptions { sourceCompatibility 1.8; targetCompatibility JavaVersion.VERSION_1_8 }',
      "  kotlinOptions { jvmTarget = '1.8' }",
      '}',
      'dependencies {',
      '  implementation "org.jetbrains.kotlin:kotlin-stdlib:$kotlin_version"',
      "  testImplementation 'junit:junit:4.13.2'",
      "  releaseImplementation files('x.jar')",
      '}',
    ].join('\n'),
  });
  expect(model).toMatchObject({
    kotlinVersion: '1.9.24',
    nonTransitiveR: false,
    nonFinalR: false,
    refusals: [],
  });
  expect(model.modules[0]).toMatchObject({
    applicationId: 'a.b.c.debug',
    versionName: '7.1-d',
    minSdk: 21,
    targetSdk: 33,
    versionCode: 7,
    javaRelease: 8,
    jvmTarget: '1.8',
    // On by default before version 8 of the plug-in.
    buildConfig: true,
    dependencies: [{ kind: 'external', target: 'org.jetbrains.kotlin:kotlin-stdlib:1.9.24' }],
    refusals: [],
  });
});

test('the form of plug-in 9: Kotlin built in, sdk blocks', async () => {
  const model = await project('nine', {
    'settings.gradle.kts': 'include(":app")',
    'build.gradle.kts': 'plugins { id("com.android.application") version "9.5.0" apply false }',
    'app/build.gradle.kts':
      'plugins { id("com.android.application") }\n' +
      'android { namespace = "a.b"; compileSdk { version = release(36) }; defaultConfig { minSdk { version = release(26) } } }',
  });
  expect(model.modules[0]).toMatchObject({
    compileSdk: 36,
    minSdk: 26,
    hasKotlin: true,
    javaRelease: 11,
    refusals: [],
  });
});

describe('what is not plain is named with its line', () => {
  const refusals = (text: string): string[] =>
    readBuildFile(text, 'kotlin', '/b.kts').refusals.map(({ line, what }) => `${line}: ${what}`);

  test.each([
    ['android {\n  productFlavors { }\n}', '2: `productFlavors`'],
    ['android { buildFeatures { viewBinding = true } }', '1: `buildFeatures.viewBinding`'],
    ['android {\n buildTypes {\n  debug {\n   isMinifyEnabled = true\n } } }', '4: `debug.isMinifyEnabled`'],
    ['android { defaultConfig { resValue("string", "a", "b") } }', '1: `defaultConfig.resValue`'],
    ['android { defaultConfig { minSdk = libs.versions.min.get().toInt() } }', '1: `minSdk` whose value'],
    ['dependencies { kapt("a:b:1") }', '1: `dependencies.kapt`'],
    ['dependencies {\n  implementation(files("a.jar"))\n}', '2: a dependency of `implementation`'],
    ['dependencies { implementation(libs.core) }', '1: a dependency of `implementation`'],
    ['plugins { alias(libs.plugins.app) }', '1: the plug-in `alias`'],
    ['apply(from = "other.gradle")', '1: `apply` of another script'],
    ['if (x) { android { } }', '1: code that must be run'],
    ['tasks.withType<JavaCompile> { }', '1: `tasks`'],
    ['android { namespace = "a"', '1: `{` without its `}`'],
    ['android { compileOptions { isCoreLibraryDesugaringEnabled = true } }', '1: `coreLibraryDesugaring`'],
    [
      'kotlin { compilerOptions { freeCompilerArgs.add("-Xx") } }',
      '1: `kotlin.compilerOptions.freeCompilerArgs`',
    ],
  ])('%j', (text, expected) => {
    expect(refusals(text).some((one) => one.startsWith(expected))).toBe(true);
  });

  test('in the root build file too', () => {
    const { refusals: found } = readRootBuild('subprojects { apply(plugin = "x") }', 'kotlin', '/r.kts');
    expect(found).toMatchObject([{ line: 1, what: '`subprojects`' }]);
  });

  test.each([
    'android { lint { abortOnError = false }; testOptions { unitTests.isIncludeAndroidResources = true } }',
    'android { buildTypes { release { isMinifyEnabled = true; signingConfig = signingConfigs.getByName("x") } } }',
    'android { packaging { resources { excludes += "/META-INF/x" } } }',
    'java { toolchain { languageVersion = JavaLanguageVersion.of(17) } }',
    'dependencies { testImplementation(libs.junit); androidTestImplementation(platform(libs.bom)) }',
    'version = "1"; group = "g"',
  ])('%j changes nothing that Jugg builds', (text) => {
    expect(refusals(text)).toEqual([]);
  });
});
