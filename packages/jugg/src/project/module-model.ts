import { join } from 'node:path';
import type { BuildFacts } from './build-facts.ts';
import { compilerPlugin } from './compiler-plugins.ts';
import type { CompilerPlugin, ModuleKind, ModuleModel, Refusal, SourceSet } from './model.ts';

const KINDS: Readonly<Record<string, ModuleKind>> = {
  'com.android.application': 'app',
  'com.android.library': 'library',
  java: 'java',
  'java-library': 'java',
  'org.jetbrains.kotlin.jvm': 'java',
};
const KOTLIN = new Set(['org.jetbrains.kotlin.android', 'kotlin-android', 'org.jetbrains.kotlin.jvm']);

/** Fills the facts of a build file with Gradle's defaults. `versions` are plug-in versions of the whole project. */
export function moduleModel(from: {
  readonly name: string;
  readonly dir: string;
  readonly buildFile: string;
  readonly facts: BuildFacts;
  readonly versions: ReadonlyMap<string, string>;
}): ModuleModel {
  const { name, dir, buildFile, facts } = from;
  const refusals: Refusal[] = [...facts.refusals];
  const refuse = (line: number, what: string): void => {
    refusals.push({ file: buildFile, line, what });
  };

  let kind: ModuleKind | null = null;
  let hasKotlin = false;
  const compilerPlugins: CompilerPlugin[] = [];
  for (const plugin of facts.plugins.filter((one) => one.apply)) {
    const ofCompiler = compilerPlugin(plugin.id, facts.pluginOptions);
    if (ofCompiler !== null) {
      compilerPlugins.push(ofCompiler);
      continue;
    }
    kind = KINDS[plugin.id] ?? kind;
    hasKotlin ||= KOTLIN.has(plugin.id);
    if (KINDS[plugin.id] === undefined && !KOTLIN.has(plugin.id)) {
      refuse(plugin.line, `the plug-in \`${plugin.id}\``);
    }
  }
  const pluginMajor = Number(from.versions.get('com.android.application')?.split('.')[0] ?? '8');
  // Since version 9 the Android plug-in compiles Kotlin itself.
  if (pluginMajor >= 9 && kind !== 'java') hasKotlin = true;
  /** The line of the nearest of these; the file as a whole begins in line 1. */
  const lineOf = (...names: string[]): number => {
    const known = names.find((name) => facts.lines.has(name));
    return facts.lines.get(known ?? '') ?? 1;
  };
  if (kind === null)
    refuse(
      lineOf('plugins', 'apply'),
      'a module that is neither an Android app, an Android library nor plain Java',
    );
  if (kind !== null && kind !== 'java' && facts.namespace === null)
    refuse(lineOf('android', 'plugins', 'apply'), 'a module without `namespace`');
  if (kind === 'app' && facts.applicationId === null && facts.namespace === null) {
    refuse(lineOf('android', 'plugins', 'apply'), 'an app without `applicationId`');
  }
  if (facts.sourceVersion !== null && facts.targetVersion !== null) {
    if (facts.sourceVersion !== facts.targetVersion) {
      refuse(lineOf('sourceCompatibility'), '`sourceCompatibility` that differs from `targetCompatibility`');
    }
  }

  const release =
    facts.targetVersion ?? facts.sourceVersion ?? facts.toolchain ?? (pluginMajor >= 9 ? 11 : 8);
  const id = facts.applicationId ?? facts.namespace;
  return {
    name,
    kind,
    dir,
    buildFile,
    namespace: facts.namespace,
    applicationId: kind === 'app' && id !== null ? id + facts.applicationIdSuffix : null,
    minSdk: facts.minSdk ?? 1,
    targetSdk: facts.targetSdk,
    compileSdk: facts.compileSdk,
    versionCode: facts.versionCode ?? 1,
    versionName: facts.versionName === null ? null : facts.versionName + facts.versionNameSuffix,
    debuggable: facts.debuggable ?? true,
    hasKotlin,
    javaRelease: release,
    jvmTarget: jvmTarget(facts.jvmTarget ?? facts.toolchain ?? release),
    // Off unless asked for since version 8.
    buildConfig: kind !== 'java' && (facts.buildConfig ?? pluginMajor < 8),
    testRunner: facts.testRunner,
    compilerPlugins,
    sourceSets: [sourceSet(dir, 'main'), ...(kind === 'java' ? [] : [sourceSet(dir, 'debug')])],
    androidTest: sourceSet(dir, 'androidTest'),
    dependencies: facts.dependencies,
    testDependencies: facts.testDependencies,
    lines: facts.lines,
    refusals,
  };
}

/** The Kotlin compiler's spelling: `1.8`, `11`, `17`. */
function jvmTarget(version: number): string {
  return version <= 8 ? '1.8' : String(version);
}

function sourceSet(dir: string, name: string): SourceSet {
  const root = join(dir, 'src', name);
  return {
    name,
    java: [join(root, 'java'), join(root, 'kotlin')],
    res: [join(root, 'res')],
    assets: [join(root, 'assets')],
    resources: [join(root, 'resources')],
    manifest: join(root, 'AndroidManifest.xml'),
  };
}
