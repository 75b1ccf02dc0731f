import { snapshotOf, type Baseline, type Workspace } from '../project/baseline.ts';
import { compareSnapshots, type Snapshot } from '../project/changes.ts';
import { readProject } from '../project/direct-model.ts';
import type { ModuleModel, ProjectModel } from '../project/model.ts';
import { projectInputs } from '../project/source-roots.ts';
import type { Stored } from '../project/stored-json.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import { modelId } from './build-run.ts';
import { chooseApp } from './choose-module.ts';
import { makePlan, modulesOf, needsGradle, type Plan } from './plan.ts';
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
  readonly look: Look;
  readonly baseline: Stored<Baseline>;
  readonly changes: ChangeSet;
  readonly workspace: Workspace;
  readonly plan: Plan;
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
  if (!app.ok) return app;
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
  const before: Snapshot = baseline.ok ? snapshotOf(baseline.value) : new Map();
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
  const libraries = await standardLibrary(from.tools, project, modules, work);
  if (!libraries.ok) return libraries;

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
    changes,
  });
  return ok({
    project,
    app,
    modules,
    session,
    tools: tools.value,
    libraries: libraries.value,
    ...comparison,
    workspace,
    plan,
  });
}

async function standardLibrary(
  tools: ToolBox,
  { kotlinVersion }: ProjectModel,
  modules: readonly ModuleModel[],
  work: WorkContext,
): Promise<Result<readonly string[]>> {
  if (kotlinVersion === null || !modules.some((module) => module.hasKotlin)) return ok([]);
  return tools.standardLibrary(kotlinVersion, work);
}

function gradleNeeded(plan: Plan): Result<never> {
  const { rule, reason, refusals } = plan;
  return fail('FALLBACK_NEEDED', `${reason}. Build it with Gradle or Android Studio.`, {
    data: {
      fallback: { used: false, rule, reason },
      refusals: refusals.slice(0, 20),
      refusalCount: refusals.length,
    },
  });
}
