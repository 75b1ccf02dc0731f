import { readFile } from 'node:fs/promises';
import { compilerOf, KOTLIN_COMPILER } from '../project/kotlin-version.ts';
import type { ModuleModel, ProjectModel } from '../project/model.ts';
import { ok, type Result } from '../shared/outcome.ts';
import { modelId } from './build-run.ts';
import { readDeclarations, type Declarations, type JavaSources } from './java-source.ts';
import { ModuleStore } from './module-store.ts';
import { makePlan, type Plan } from './plan.ts';
import type { KnownModule } from './known-module.ts';
import { predict, staleSources } from './predict.ts';
import { chooseBuild, compareWithBaseline, VARIANT } from './prepare.ts';
import type { Session } from './session.ts';
import type { ToolBox } from './tools.ts';
import type { CompileRequest, Explanation, Supported } from './types.ts';
import { NO_FACE, readSourceFace, type SourceFace } from './source-face.ts';
import { whatIsKnown } from './what-is-known.ts';

/**
 * What the next compile would do, from what is on disk: no tool is started or fetched, and no build is waited for. Tools
 * that this engine has not looked up yet are taken to be those of the last build.
 */
export async function explainNext(
  request: Omit<CompileRequest, 'allowGradle'>,
  from: { readonly tools: ToolBox; session(projectDir: string): Session },
): Promise<Result<Explanation>> {
  const chosen = await chooseBuild(request);
  if (!chosen.ok) return chosen;
  const { project, app, modules, gradle } = chosen.value;
  const session = from.session(project.projectDir);
  if (gradle !== null) return ok(explanation(gradle, project, modules, session));
  const comparison = await compareWithBaseline(session, project, modules);
  const { baseline, changes } = comparison;
  const toolsId = from.tools.known(project.projectDir)?.id ?? (baseline.ok ? baseline.value.toolsId : '');
  const workspace = { toolsId, modelId: modelId(project, modules), module: app.name, variant: VARIANT };
  const folder = session.store.workspace(workspace);
  const hasOutputs = await folder.exists();
  const plan = makePlan({
    project,
    ...workspace,
    baseline: baseline.ok ? baseline.value : { missing: baseline.reason },
    hasOutputs,
    changes,
  });
  if (plan.kind === 'none' || plan.kind === 'gradle') return ok(explanation(plan, project, modules, session));
  // What was built last may still be on its way to the disk.
  await session.recordsSaved();
  // A store of its own: what a running build is just writing must not be remembered by the engine.
  const store = new ModuleStore(session.store, folder);
  const { known, input } = await whatIsKnown({
    project,
    app,
    modules,
    comparison,
    toolsId,
    store,
    hasOutputs,
  });
  const identifiers = await readIdentifiers(known, session.javaSources);
  const declarations = new Map<string, Declarations>();
  for (const file of staleSources(known)) {
    declarations.set(file, readDeclarations(await readFile(file, 'utf8').catch(() => '')));
  }
  const prediction = await predict({
    ...input,
    modules: known,
    identifiersOf: (file) => identifiers.get(file) ?? new Set(),
    declarationsOf: (file) => declarations.get(file) ?? readDeclarations(''),
    faceOf: facesOnce(),
  });
  return ok({ ...explanation(plan, project, modules, session), ...prediction });
}

function explanation(
  plan: Plan,
  project: ProjectModel,
  modules: readonly ModuleModel[],
  session: Session,
): Explanation {
  return {
    kind: plan.kind,
    rule: plan.rule,
    reason: plan.reason,
    stages: [],
    files: [],
    recompileBecause: [],
    supported: supported(plan, project, modules),
    estimateMs: plan.kind === 'gradle' ? null : (session.lastMs.get(plan.kind) ?? null),
  };
}

/** What this project uses, and how Jugg handles a change of it; what it cannot build at all comes with its place. */
function supported({ refusals }: Plan, project: ProjectModel, modules: readonly ModuleModel[]): Supported[] {
  const isAndroid = modules.some(({ kind }) => kind !== 'java');
  const features = [
    'Java',
    ...(modules.some(({ hasKotlin }) => hasKotlin) ? [kotlin(project.kotlinVersion ?? '')] : []),
    ...new Set(
      modules.flatMap(({ compilerPlugins }) => compilerPlugins.map(({ id }) => `the plug-in ${id}`)),
    ),
    ...(isAndroid ? ['resources', 'assets', 'manifest'] : []),
    ...(modules.some(({ buildConfig }) => buildConfig) ? ['BuildConfig'] : []),
    ...(modules.length > 1 ? ['modules of this project'] : []),
  ];
  return [
    ...features.map((feature): Supported => ({ feature, how: 'incremental' })),
    ...refusals.map(({ what, file, line }): Supported => ({
      feature: `${what} (${line > 0 ? `${file}:${line}` : file})`,
      how: 'refused',
    })),
  ];
}

/** With the compiler, where it is not the one of all newer projects. */
function kotlin(version: string): string {
  const compiler = compilerOf(version) ?? KOTLIN_COMPILER;
  const by = compiler === KOTLIN_COMPILER ? '' : ` (by the compiler ${compiler}, the newest that takes it)`;
  return `Kotlin ${version}${by}`.trim();
}

/** Reads each file once; one that is gone shows nothing. */
function facesOnce(): (file: string) => Promise<SourceFace> {
  const known = new Map<string, Promise<SourceFace>>();
  return (file) => {
    const face =
      known.get(file) ??
      readFile(file, 'utf8').then(
        (text) => readSourceFace(file, text),
        () => NO_FACE,
      );
    known.set(file, face);
    return face;
  };
}

async function readIdentifiers(
  modules: readonly KnownModule[],
  sources: JavaSources,
): Promise<Map<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const { kotlinSources, javaSources } of modules) {
    for (const [file, hash] of Object.entries({ ...kotlinSources, ...javaSources })) {
      found.set(file, (await sources.read(file, hash)).identifiers);
    }
  }
  return found;
}
