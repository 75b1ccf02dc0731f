import type { ModuleModel, ProjectModel, Refusal } from '../project/model.ts';
import { compilerOf } from '../project/kotlin-version.ts';
import type { ChangeSet } from './types.ts';

/** What is known when a compile is asked for; no file is read to decide. */
export interface PlanInput {
  readonly project: ProjectModel;
  /** Path of the app module to build. */
  readonly module: string;
  readonly variant: string;
  readonly toolsId: string;
  readonly modelId: string;
  /** The last successful build, or why there is none. */
  readonly baseline:
    | {
        readonly module: string;
        readonly variant: string;
        readonly toolsId: string;
        readonly modelId: string;
      }
    | { readonly missing: string };
  /** Whether there are outputs of such a build: of one that failed, or of an earlier one. */
  readonly hasOutputs: boolean;
  readonly changes: ChangeSet;
}

export interface Plan {
  /** `gradle`: Jugg cannot build this project itself. */
  readonly kind: 'none' | 'incremental' | 'full' | 'gradle';
  /** The numbered rule that decided. */
  readonly rule: string;
  /** Why, for people. */
  readonly reason: string;
  /** What was not understood; only for `gradle`. */
  readonly refusals: readonly Refusal[];
}

/** Decides how to build. The first rule that applies wins; their numbers are stable. */
export function makePlan(input: PlanInput): Plan {
  const { baseline, changes } = input;
  const gradle = needsGradle(input.project, input.module);
  if (gradle !== null) return gradle;
  const full = (rule: string, why: string): Plan => {
    const reason = input.hasOutputs ? `${why}; what was compiled already is used` : why;
    return { kind: 'full', rule, reason, refusals: [] };
  };
  if ('missing' in baseline) return full('P2-no-baseline', baseline.missing);
  if (baseline.module !== input.module || baseline.variant !== input.variant) {
    const was = `${baseline.module} (${baseline.variant})`;
    return full(
      'P3-other-variant',
      `the last build was of ${was}, not of ${input.module} (${input.variant})`,
    );
  }
  if (baseline.toolsId !== input.toolsId) return full('P4-tools', 'the compilers or the SDK changed');
  if (baseline.modelId !== input.modelId) return full('P5-build-file', 'the build files changed');
  const count = changes.changed.length + changes.deleted.length;
  if (count === 0) return { kind: 'none', rule: 'P6-no-changes', reason: 'nothing changed', refusals: [] };
  const reason = `${count} ${count === 1 ? 'file' : 'files'} changed`;
  return { kind: 'incremental', rule: 'P7-incremental', reason, refusals: [] };
}

/** The plan of a project that Jugg cannot build itself; `null` for one that it can. */
export function needsGradle(project: ProjectModel, module: string): Plan | null {
  const refusals = [
    ...project.refusals,
    ...modulesOf(project, module).flatMap((one) => [
      ...one.refusals,
      ...unsupportedDependencies(project, one),
      ...lowerMinSdk(project, module, one),
    ]),
  ];
  return gradlePlan(refusals);
}

/** The same when not even the module is known: only for what Gradle does not take either. */
export function mistakes(project: ProjectModel): Plan | null {
  const all = [...project.refusals, ...project.modules.flatMap(({ refusals }) => refusals)];
  return gradlePlan(all.filter(({ isMistake }) => isMistake === true));
}

function gradlePlan(refusals: readonly Refusal[]): Plan | null {
  const [first] = refusals;
  if (first === undefined) return null;
  const more = refusals.length > 1 ? ` and ${refusals.length - 1} more` : '';
  const mistake = refusals.find(({ isMistake }) => isMistake === true);
  const reason =
    mistake === undefined
      ? `Jugg does not build ${first.what} (${place(first)})${more} itself`
      : `${place(mistake)}: ${mistake.what}, which Gradle does not take either`;
  return { kind: 'gradle', rule: 'P1-build-file', reason, refusals };
}

/** Kotlin's standard library comes with the Kotlin plug-in; naming it again changes nothing. */
const STANDARD_LIBRARY = /^org\.jetbrains\.kotlin:kotlin-stdlib(-jdk[78]|-common)?:/;

function unsupportedDependencies(project: ProjectModel, module: ModuleModel): Refusal[] {
  const found: Refusal[] = [];
  const lineOf = (...names: string[]): number =>
    names.map((name) => module.lines.get(name)).find((line) => line !== undefined) ?? 1;
  for (const { kind, target } of module.dependencies) {
    const refuse = (what: string): Refusal => {
      return { file: module.buildFile, line: lineOf(`dependency ${target}`, 'dependencies'), what };
    };
    if (kind === 'external') {
      if (!STANDARD_LIBRARY.test(target)) found.push(refuse(`the library ${target}`));
      continue;
    }
    const dependency = project.modules.find((one) => one.name === target);
    if (dependency === undefined)
      found.push({ ...refuse(`the module ${target} is not in the settings`), isMistake: true });
    else if (dependency.kind === 'app') found.push(refuse(`a dependency on the app module ${target}`));
    else if (modulesOf(project, target).some((one) => one.name === module.name)) {
      found.push({ ...refuse(`${module.name} and ${target} depend on each other`), isMistake: true });
    }
  }
  const { kotlinVersion, kotlinPlace } = project;
  const here = { file: module.buildFile, line: lineOf('plugins', 'apply') };
  if (module.hasKotlin && kotlinVersion === null) found.push({ ...here, what: 'Kotlin without a version' });
  if (module.hasKotlin && kotlinVersion !== null && compilerOf(kotlinVersion) === null) {
    const what = `Kotlin ${kotlinVersion}, whose language none of Jugg's compilers takes: the oldest is 1.9`;
    found.push({ ...(kotlinPlace ?? here), what });
  }
  return found;
}

/** The Android plug-in stops a build whose app allows older devices than one of its libraries does. */
function lowerMinSdk(project: ProjectModel, appName: string, module: ModuleModel): Refusal[] {
  const app = project.modules.find((one) => one.name === appName);
  if (app === undefined || module.kind === 'java' || module.minSdk <= app.minSdk) return [];
  const what = `minSdk ${module.minSdk} is above the app's ${app.minSdk}`;
  return [{ file: module.buildFile, line: module.lines.get('minSdk') ?? 1, what, isMistake: true }];
}

function place({ file, line, column }: Refusal): string {
  if (line === 0) return file;
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
}

/** The module and all it depends on, dependencies first; unknown names and circles are left out. */
export function modulesOf(project: ProjectModel, name: string): readonly ModuleModel[] {
  const byName = new Map(project.modules.map((module) => [module.name, module]));
  const ordered: ModuleModel[] = [];
  const visited = new Set<string>();
  const visit = (path: string): void => {
    const module = byName.get(path);
    if (module === undefined || visited.has(path)) return;
    visited.add(path);
    for (const dependency of module.dependencies) {
      if (dependency.kind === 'project') visit(dependency.target);
    }
    ordered.push(module);
  };
  visit(name);
  return ordered;
}

/** The modules that `module` compiles against: its own dependencies, and what those pass on with `api`. */
export function compileDependencies(
  modules: readonly ModuleModel[],
  module: ModuleModel,
): readonly ModuleModel[] {
  const byName = new Map(modules.map((one) => [one.name, one]));
  const found = new Set<ModuleModel>();
  const visit = (from: ModuleModel, onlyApi: boolean): void => {
    for (const { configuration, kind, target } of from.dependencies) {
      const dependency = kind === 'project' ? byName.get(target) : undefined;
      const seen = onlyApi ? configuration === 'api' : configuration !== 'runtimeOnly';
      if (dependency === undefined || !seen || found.has(dependency)) continue;
      found.add(dependency);
      visit(dependency, true);
    }
  };
  visit(module, false);
  return [...found];
}
