import type { Baseline } from '../project/baseline-file.ts';
import type { Workspace } from '../project/workspace.ts';
import { compareSnapshots, type Snapshot } from '../project/changes.ts';
import { readProject } from '../project/direct-model.ts';
import type { ModuleModel, ProjectModel } from '../project/model.ts';
import { compilerArtifacts, compilerOf, KOTLIN_COMPILER } from '../project/kotlin-version.ts';
import { projectInputs } from '../project/source-roots.ts';
import type { Stored } from '../project/stored-json.ts';
import { fail, ok, type Fault, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import { modelId } from './build-run.ts';
import type { KotlinCompiler } from './build-unit.ts';
import { chooseApp } from './choose-module.ts';
import { makePlan, mistakes, modulesOf, needsGradle, type Plan } from './plan.ts';
import type { Look, Session } from './session.ts';
import type { EngineTools, ToolBox } from './tools.ts';
import type { ChangeSet, CompileRequest } from './types.ts';

/** The only variant that Jugg builds without Gradle. */
export const VARIANT = 'debug';

/** Everything that is known before the first compiler runs. */
export interface Prepared {
  readonly project: ProjectModel;
  readonly app: ModuleModel;
  /** Dependencies first, the app last. */
  readonly modules: readonly ModuleModel[];
  readonly session: Session;
  readonly tools: EngineTools;
  readonly libraries: readonly string[];
  /** The same, as the compilers read them. */
  readonly compileLibraries: readonly string[];
  readonly kotlinCompiler: KotlinCompiler;
  readonly look: Look;
  readonly baseline: Stored<Baseline>;
  readonly changes: ChangeSet;
  readonly workspace: Workspace;
  readonly plan: Plan & { readonly kind: Exclude<Plan['kind'], 'gradle'> };
}

/** The modules that a request means. */
export interface ChosenBuild {
  readonly project: ProjectModel;
  readonly app: ModuleModel;
  /** Dependencies first, the app last. */
  readonly modules: readonly ModuleModel[];
  /** Set when Jugg cannot build it itself. */
  readonly gradle: Plan | null;
}

export async function chooseBuild(
  request: Omit<CompileRequest, 'allowGradle'>,
): Promise<Result<ChosenBuild>> {
  const read = await readProject(request.projectDir);
  if (!read.ok) return read;
  const project = read.value;
  const app = chooseApp(project, request.module);
  if (!app.ok) {
    // A file that is cut short by a mistake may hide the app.
    const mistaken = mistakes(project);
    return mistaken === null ? app : gradleNeeded(mistaken);
  }
  if (request.variant !== undefined && request.variant !== VARIANT) {
    return fail(
      'FEATURE_NOT_SUPPORTED',
      `variant: got "${request.variant}"; without Gradle Jugg builds only "${VARIANT}".`,
      { data: { candidates: [VARIANT] } },
    );
  }
  const { name } = app.value;
  return ok({
    project,
    app: app.value,
    modules: modulesOf(project, name),
    gradle: needsGradle(project, name),
  });
}

/** The inputs as they are, the last good build, and what lies between them. */
export interface Comparison {
  readonly look: Look;
  readonly baseline: Stored<Baseline>;
  readonly changes: ChangeSet;
}

export async function compareWithBaseline(
  session: Session,
  project: ProjectModel,
  modules: readonly ModuleModel[],
): Promise<Comparison> {
  const look = await session.look(projectInputs(project, modules));
  const baseline = await session.baseline();
  const before: Snapshot = baseline.ok ? baseline.value.snapshot : new Map();
  return { look, baseline, changes: compareSnapshots(before, look.snapshot) };
}

/** Reads the project and finds the tools, the changes and the plan. Nothing is built or stored. */
export async function prepare(
  request: Omit<CompileRequest, 'allowGradle'>,
  from: { readonly tools: ToolBox; session(projectDir: string): Session },
  work: WorkContext,
): Promise<Result<Prepared>> {
  work.phase('Changes');
  const chosen = await chooseBuild(request);
  if (!chosen.ok) return chosen;
  const { project, app, modules, gradle } = chosen.value;
  if (gradle !== null) return gradleNeeded(gradle);
  const tools = await from.tools.forProject(project.projectDir, work);
  if (!tools.ok) return tools;
  const libraries = await kotlinLibraries(from.tools, project, modules, work);
  if (!libraries.ok) return libraries;
  const kotlinCompiler = await kotlinCompilerJars(from.tools, project, modules, work);
  if (!kotlinCompiler.ok) return kotlinCompiler;

  work.phase('Changes');
  const session = from.session(project.projectDir);
  const comparison = await compareWithBaseline(session, project, modules);
  const { baseline, changes } = comparison;
  const workspace: Workspace = {
    toolsId: tools.value.id,
    modelId: modelId(project, modules),
    module: app.name,
    variant: VARIANT,
  };
  const plan = makePlan({
    project,
    ...workspace,
    baseline: baseline.ok ? baseline.value : { missing: baseline.reason },
    hasOutputs: await session.store.workspace(workspace).exists(),
    changes,
  });
  const { kind } = plan;
  if (kind === 'gradle') return gradleNeeded(plan);
  return ok({
    project,
    app,
    modules,
    session,
    tools: tools.value,
    libraries: libraries.value,
    compileLibraries: await from.tools.quickToRead(libraries.value),
    kotlinCompiler: kotlinCompiler.value,
    ...comparison,
    workspace,
    plan: { ...plan, kind },
  });
}

const KOTLIN = 'org.jetbrains.kotlin';

/** Kotlin's standard library, what it needs itself, and what the plug-ins of the compiler bring; nothing else yet. */
async function kotlinLibraries(
  tools: ToolBox,
  { kotlinVersion }: ProjectModel,
  modules: readonly ModuleModel[],
  work: WorkContext,
): Promise<Result<readonly string[]>> {
  if (kotlinVersion === null || !modules.some((module) => module.hasKotlin)) return ok([]);
  const plugins = modules.flatMap(({ compilerPlugins }) => compilerPlugins);
  const names = ['kotlin-stdlib', ...new Set(plugins.flatMap(({ runtime }) => runtime))];
  const gavs = [
    ...names.map((name) => `${KOTLIN}:${name}:${kotlinVersion}`),
    'org.jetbrains:annotations:13.0',
  ];
  const resolved = await tools.artifacts(gavs, work);
  return resolved.ok ? ok([...resolved.value.values()]) : resolved;
}

async function kotlinCompilerJars(
  tools: ToolBox,
  { kotlinVersion }: ProjectModel,
  modules: readonly ModuleModel[],
  work: WorkContext,
): Promise<Result<KotlinCompiler>> {
  const version = (kotlinVersion === null ? null : compilerOf(kotlinVersion)) ?? KOTLIN_COMPILER;
  const isOwn = version === KOTLIN_COMPILER || !modules.some((module) => module.hasKotlin);
  const jars = await tools.artifacts(isOwn ? [] : compilerArtifacts(version), work);
  if (!jars.ok) {
    const what = `Kotlin ${kotlinVersion} takes the compiler ${version}`;
    return cannotBeHad('P10-kotlin-compiler', what, jars.fault);
  }
  const plugins = new Map<string, string>();
  for (const { id, artifact } of modules.flatMap(({ compilerPlugins }) => compilerPlugins)) {
    if (plugins.has(artifact)) continue;
    // A plug-in belongs to one version of the compiler: it does not matter which one the project has.
    const gav = `${KOTLIN}:${artifact}:${version}`;
    const resolved = await tools.artifacts([gav], work);
    if (!resolved.ok)
      return cannotBeHad('P9-compiler-plugin', `the plug-in ${id} takes ${gav}`, resolved.fault);
    plugins.set(artifact, resolved.value.get(gav) ?? '');
  }
  return ok({ jars: [...jars.value.values()], plugins });
}

function cannotBeHad(rule: string, what: string, fault: Fault): Result<never> {
  if (fault.code === 'CANCELED') return { ok: false, fault };
  const reason = `${what}, which cannot be had: ${fault.message}`;
  return fail('FALLBACK_NEEDED', `Jugg cannot build this without Gradle: ${reason}`, {
    data: { ...fault.data, fallback: { used: false, rule, reason } },
  });
}

function gradleNeeded(plan: Plan): Result<never> {
  const { rule, reason, refusals } = plan;
  const next = refusals.some(({ isMistake }) => isMistake)
    ? 'Mend it and call again.'
    : 'Build it with Gradle or Android Studio.';
  return fail('FALLBACK_NEEDED', `${reason}. ${next}`, {
    data: {
      fallback: { used: false, rule, reason },
      refusals: refusals.slice(0, 20),
      refusalCount: refusals.length,
    },
  });
}
