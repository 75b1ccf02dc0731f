import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import type { ModuleModel, ProjectModel } from '../project/model.ts';
import { ok, type Result } from '../shared/outcome.ts';
import { modelId } from './build-run.ts';
import type { JavaSources } from './java-source.ts';
import { ModuleStore } from './module-store.ts';
import { makePlan, type Plan } from './plan.ts';
import { predict, type KnownModule } from './predict.ts';
import { chooseBuild, compareWithBaseline, VARIANT, type Comparison } from './prepare.ts';
import type { Session } from './session.ts';
import { declaredSymbols } from './stages/resource-symbols.ts';
import type { ToolBox } from './tools.ts';
import type { CompileRequest, Explanation, Supported } from './types.ts';

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
  const { baseline, changes, look } = comparison;
  const toolsId = from.tools.known(project.projectDir)?.id ?? (baseline.ok ? baseline.value.toolsId : '');
  const plan = makePlan({
    project,
    module: app.name,
    variant: VARIANT,
    toolsId,
    modelId: modelId(project, modules),
    baseline: baseline.ok ? baseline.value : { missing: baseline.reason },
    changes,
  });
  // A store of its own: what a running build is just writing must not be remembered by the engine.
  const store = new ModuleStore(session.store);
  const known: KnownModule[] = [];
  for (const { name, namespace } of modules)
    known.push({ name, namespace, record: await store.module(name) });
  const identifiers =
    plan.kind === 'incremental' ? await readIdentifiers(comparison, session.javaSources) : new Map();
  const prediction = predict({
    plan,
    modules: known,
    files: look.files,
    changes,
    namesChanged:
      plan.kind === 'incremental' ? await resourceNamesChanged(comparison, store, modules) : new Set(),
    identifiersOf: (file) => identifiers.get(file) ?? new Set(),
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
    ...(modules.some(({ hasKotlin }) => hasKotlin) ? [`Kotlin ${project.kotlinVersion ?? ''}`.trim()] : []),
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

async function readIdentifiers(
  { look, changes }: Comparison,
  sources: JavaSources,
): Promise<Map<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  if (![...changes.changed, ...changes.deleted].some(({ file }) => /\.(?:kt|java)$/.test(file))) return found;
  for (const { path, kind } of look.files) {
    if (kind !== 'java') continue;
    const { identifiers } = await sources.read(path, look.snapshot.get(path)?.hash ?? '');
    found.set(path, identifiers);
  }
  return found;
}

/** The modules whose changed resource files declare other names than they did. */
async function resourceNamesChanged(
  { changes }: Comparison,
  store: ModuleStore,
  modules: readonly ModuleModel[],
): Promise<ReadonlySet<string>> {
  const record = await store.resources();
  const found = new Set<string>();
  for (const { file, type } of [...changes.changed, ...changes.deleted]) {
    if (type !== 'Resource') continue;
    const before = record?.files[file]?.symbols ?? [];
    const text = file.endsWith('.xml') ? await readFile(file, 'utf8').catch(() => null) : null;
    const isGone = changes.deleted.some((one) => one.file === file);
    const now = isGone ? [] : declaredSymbols(file, text);
    const owner = modules.find(({ sourceSets }) =>
      sourceSets.some(({ res }) => res.some((dir) => file.startsWith(dir + sep))),
    );
    if (owner && before.toSorted().join() !== now.toSorted().join()) found.add(owner.name);
  }
  return found;
}
