import { basename, join, resolve } from 'node:path';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { readBuildFile } from './build-file.ts';
import { findProjectRoot, parseProperties, readGradleFile, textOrNull } from './gradle-files.ts';
import type { ModuleModel, ProjectModel } from './model.ts';
import { moduleModel } from './module-model.ts';
import { readRootBuild, type RootFacts } from './root-build.ts';
import { readSettings } from './settings.ts';

const NO_ROOT: RootFacts = {
  pluginVersions: new Map(),
  places: new Map(),
  variables: new Map(),
  refusals: [],
};

/**
 * Reads the project in `dir` (or in the nearest folder above it with a settings file) without running anything.
 *
 * `INVALID_PARAMS` when there is no Gradle project; what is there but not understood is in the `refusals` of the model
 * and of its modules.
 */
export async function readProject(dir: string): Promise<Result<ProjectModel>> {
  const projectDir = await findProjectRoot(resolve(dir));
  const settingsFile = projectDir === null ? null : await readGradleFile(projectDir, 'settings');
  if (projectDir === null || settingsFile === null) {
    return fail(
      'INVALID_PARAMS',
      `${dir} is not in a Gradle project: no settings.gradle or settings.gradle.kts there or above.`,
    );
  }
  const settings = readSettings(settingsFile.text, settingsFile.language, settingsFile.path);
  const rootFile = await readGradleFile(projectDir, 'build');
  const isModuleToo = settings.modules.length === 0;
  const root =
    rootFile && !isModuleToo ? readRootBuild(rootFile.text, rootFile.language, rootFile.path) : NO_ROOT;
  const propertiesFile = join(projectDir, 'gradle.properties');
  const propertiesText = await textOrNull(propertiesFile);
  const properties = parseProperties(propertiesText ?? '');

  const versions = new Map([...settings.pluginVersions, ...root.pluginVersions]);
  const places = new Map([...settings.places, ...root.places]);
  const buildFiles = [settingsFile.path];
  if (rootFile) buildFiles.push(rootFile.path);
  if (propertiesText !== null) buildFiles.push(propertiesFile);

  const modules: ModuleModel[] = [];
  // A project of one module may have it in its root folder.
  for (const name of isModuleToo ? [':'] : settings.modules) {
    const moduleDir = resolve(
      projectDir,
      settings.moduleDirs.get(name) ?? name.slice(1).replaceAll(':', '/'),
    );
    const file = isModuleToo ? rootFile : await readGradleFile(moduleDir, 'build');
    // Gradle lets a folder without build file be a project; nothing is built in it.
    if (file === null) continue;
    if (!isModuleToo) buildFiles.push(file.path);
    const facts = readBuildFile(file.text, file.language, file.path, root.variables);
    for (const plugin of facts.plugins) {
      if (plugin.version === null) continue;
      versions.set(plugin.id, plugin.version);
      places.set(plugin.id, { file: file.path, line: plugin.line });
    }
    modules.push(moduleModel({ name, dir: moduleDir, buildFile: file.path, facts, versions }));
  }

  const pluginMajor = major(versions.get('com.android.application') ?? versions.get('com.android.library'));
  // Both became the default with version 8 of the Android plug-in.
  const modern = pluginMajor === null || pluginMajor >= 8;
  const kotlinId = kotlinPlugin(versions);
  return ok({
    projectDir,
    name: settings.rootName ?? basename(projectDir),
    kotlinVersion: versions.get(kotlinId ?? '') ?? null,
    kotlinPlace: places.get(kotlinId ?? '') ?? null,
    nonTransitiveR: flag(properties.get('android.nonTransitiveRClass'), modern),
    nonFinalR: flag(properties.get('android.nonFinalResIds'), modern),
    modules,
    buildFiles,
    refusals: [...settings.doubts, ...root.refusals],
  });
}

function kotlinPlugin(versions: ReadonlyMap<string, string>): string | null {
  for (const id of versions.keys()) {
    if (id === 'kotlin-android' || /^org\.jetbrains\.kotlin\.(android|jvm)$/.test(id)) return id;
  }
  return null;
}

/** `8.13.2` → 8. */
export function major(version: string | undefined): number | null {
  const match = /^(\d+)\./.exec(version ?? '');
  return match?.[1] === undefined ? null : Number(match[1]);
}

function flag(value: string | undefined, otherwise: boolean): boolean {
  return value === undefined ? otherwise : value === 'true';
}
