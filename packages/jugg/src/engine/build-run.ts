import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { digest, type Snapshot } from '../project/changes.ts';
import type { ModuleModel, ProjectModel } from '../project/model.ts';
import { classesTwice } from './class-twice.ts';
import { compilerOf, languageArguments } from '../project/kotlin-version.ts';
import type { ScannedFile } from '../project/scan.ts';
import type { Baseline } from '../project/baseline-file.ts';
import { ok, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import type { ClassInfo } from '../toolchain/types.ts';
import { buildState, sumOf } from './build-state.ts';
import type { BuildContext, BuildUnit, KotlinCompiler, ModuleDirs } from './build-unit.ts';
import { inOrder } from './module-schedule.ts';
import type { ModuleStore } from './module-store.ts';
import type { ModuleSources } from './module-sources.ts';
import { NO_RECORD, seenModule, type Inputs, type ModuleRecord, type SeenClass } from './module-record.ts';
import { compileDependencies } from './plan.ts';
import type { Session } from './session.ts';
import { compileError } from './stages/compile-failure.ts';
import { dexClasses, dexLibraries, type DexInput } from './stages/dex.ts';
import { placeClasses } from './stages/class-places.ts';
import { writeGeneratedSources } from './stages/generated.ts';
import { compileModule, hasSameSources, isUpToDate } from './stages/module.ts';
import { packagedFiles } from './stages/packaged-files.ts';
import { ownedNames } from './stages/r-names.ts';
import { parseRText, type RSymbol } from './stages/r-class.ts';
import {
  buildResources,
  readRText,
  resourceInputs,
  resourceKey,
  type Linked,
  type ResourceBuild,
} from './stages/resources.ts';
import type { EngineTools } from './tools.ts';
import type { BuildState, Diagnostic } from './types.ts';

/** Everything one build works on. */
export interface BuildRun {
  readonly project: ProjectModel;
  readonly app: ModuleModel;
  readonly variant: string;
  /** Dependencies first, the app last. */
  readonly modules: readonly ModuleModel[];
  readonly files: readonly ScannedFile[];
  readonly snapshot: Snapshot;
  readonly session: Session;
  readonly outputs: ModuleStore;
  /** A build that takes long keeps what it has of each module at once: it may be killed. */
  readonly isLong: boolean;
  readonly tools: EngineTools;
  /** Kotlin's standard library and the like. */
  readonly libraries: readonly string[];
  readonly compileLibraries: readonly string[];
  readonly kotlinCompiler: KotlinCompiler;
  /** Jugg's cache folder. */
  readonly cacheDir: string;
  readonly context: BuildContext;
}

/** Builds what is not up to date, and answers the app as it stands then. */
export async function runBuild(
  run: BuildRun,
): Promise<Result<{ readonly state: BuildState; readonly parts: Baseline['parts'] }>> {
  // Nothing waits for the libraries until the end, and what is once translated is kept.
  const libraries = dexLibraries(
    run.libraries,
    dexInputOf(run),
    run.cacheDir,
    withoutPhases(run.context.work),
  );
  const built = await buildAll(run, libraries);
  // Also after a failure: nothing of this build may go on behind its answer.
  await libraries;
  return built;
}

async function buildAll(
  run: BuildRun,
  libraryDex: ReturnType<typeof dexLibraries>,
): Promise<Result<{ readonly state: BuildState; readonly parts: Baseline['parts'] }>> {
  const { context, app, session } = run;
  const linked = await linkResources(run);
  if (!linked.ok) return linked;
  const generated = await generateSources(run, linked.value);
  const compiled = await compileModules(run, generated);
  if (!compiled.ok) return compiled;
  const groups = compiled.value.map(({ record }) => session.memo.classesOf(record));
  const classDirs = compiled.value.flatMap(({ dirs }) => [dirs.kotlinClasses, dirs.javaClasses]);
  // Somebody may have cleared the folder below a running server.
  if ((await stat(session.dexDir).catch(() => null)) === null) session.forgetFiles();
  const dexInput = {
    ...dexInputOf(run),
    classPath: [...classDirs, ...run.libraries],
    dir: session.dexDir,
    known: session.known,
  };
  const placed = placeClasses(groups, dexInput, session.memo.places);
  const classes = new Map(placed.flatMap(({ entries }) => entries));
  // A class that is there twice is one name for two entries: looked for only when the numbers say so.
  if (classes.size < placed.reduce((sum, { entries }) => sum + entries.length, 0))
    return compileError(classesTwice(compiled.value.map(({ record }) => record)));
  const dex = await dexClasses(placed, dexInput, context.work);
  if (!dex.ok) return dex;
  context.work.phase('Dex of libraries');
  const libraries = await libraryDex;
  if (!libraries.ok) return libraries;
  const packaged = await packagedFiles(run, join(session.store.root, 'files'), session.known.files);
  const state = buildState({
    projectDir: run.project.projectDir,
    app,
    variant: run.variant,
    classes,
    content: sumOf(placed.map(({ content }) => content)),
    linked: linked.value,
    assets: packaged.id,
    libraries: libraries.value.id,
  });
  const parts = {
    resourcesApk: linked.value.apk,
    libraryDex: [...libraries.value.files],
    files: packaged.files.map((file) => ({ ...file })),
  };
  return ok({ state, parts });
}

/** Brings the classes of all modules up to date; the answer is in their order. */
async function compileModules(
  run: BuildRun,
  generated: ReadonlyMap<string, Inputs>,
): Promise<Result<{ readonly dirs: ModuleDirs; readonly record: ModuleRecord }[]>> {
  const { context, session, outputs } = run;
  const built = new Map<string, ModuleRecord>();
  const reports = new Map<string, Diagnostic[]>();
  const own = session.memo.sources.byModule(run, generated);
  const outcomes = await inOrder(
    run.modules,
    (module) => compileDependencies(run.modules, module),
    async (module): Promise<Result<{ dirs: ModuleDirs; record: ModuleRecord }>> => {
      const { name } = module;
      let record = await outputs.module(name);
      const sources = own.get(name) ?? { kotlinSources: {}, javaSources: {} };
      const records = compileDependencies(run.modules, module).map((one) => built.get(one.name) ?? NO_RECORD);
      const upstream = session.memo.facesOf(records);
      const isSettled = session.memo.isSettled(name, record, upstream) && hasSameSources(record, sources);
      const unit = isSettled ? null : unitOf(run, module, sources, built);
      if (unit !== null && !isUpToDate(unit, record)) {
        const before = record;
        const told: Diagnostic[] = [];
        reports.set(name, told);
        const report = (list: readonly Diagnostic[]): void => void told.push(...list);
        const outcome = await outputs.change(name, () => compileModule(unit, { ...context, report }, before));
        if (run.isLong) void outputs.saved();
        if (outcome.failure !== null) return outcome.failure;
        record = outcome.record;
      }
      session.memo.settled(name, record, upstream);
      built.set(name, record);
      return ok({ dirs: outputs.dirs(name), record });
    },
  );
  const done: { dirs: ModuleDirs; record: ModuleRecord }[] = [];
  for (const [index, { name }] of run.modules.entries()) {
    context.report(reports.get(name) ?? []);
    const outcome = outcomes[index] ?? null;
    if (outcome !== null && !outcome.ok) return outcome;
    if (outcome !== null) done.push(outcome.value);
  }
  return ok(done);
}

function dexInputOf(run: BuildRun): Omit<DexInput, 'classPath' | 'dir' | 'known'> {
  return {
    host: run.context.host,
    dexId: run.tools.dexId,
    minApi: run.app.minSdk,
    bootClassPath: run.tools.dexBootClassPath,
  };
}

/** For work that runs beside the phases that are told. */
function withoutPhases(work: WorkContext): WorkContext {
  return { signal: work.signal, phase: () => {}, log: (line) => work.log(line) };
}

function classesOf({ kotlin, java }: ModuleRecord): ClassInfo[] {
  return [...(kotlin?.classes ?? []), ...(java?.classes ?? [])];
}

async function linkResources(run: BuildRun): Promise<Result<Linked>> {
  const { session, outputs, tools, context } = run;
  const build: ResourceBuild = {
    ...resourceInputs({ ...run, toolsId: tools.id }),
    dir: join(session.store.root, 'resources'),
    aapt2: tools.aapt2,
    frameworkResources: tools.frameworkResources,
  };
  const before = await outputs.resources();
  if (before?.linked?.key === resourceKey(build)) return ok(before.linked);
  const outcome = await outputs.changeResources(() => buildResources(build, before, context.work));
  for (const file of outcome.compiled) context.compiled(file);
  context.report(outcome.diagnostics);
  return outcome.result;
}

/** Writes the R classes and BuildConfig; answers the digests of a module's generated sources by path. */
async function generateSources(run: BuildRun, linked: Linked): Promise<Map<string, Inputs>> {
  const { project, session, outputs } = run;
  const known = session.memo.generated;
  if (known?.key === linked.key && (await areThere(known.byModule))) return known.byModule;
  const symbols: readonly RSymbol[] = parseRText(await readRText(linked));
  const record = await outputs.resources();
  const owned = ownedNames(
    run.modules,
    run.files
      .filter(({ kind }) => kind === 'res')
      .map(({ path, module }) => ({ module, symbols: record?.files[path]?.symbols ?? [] })),
    project.nonTransitiveR,
  );
  const generated = new Map<string, Inputs>();
  for (const module of run.modules) {
    const own = owned.get(module.name) ?? new Set();
    const { generated: dir } = outputs.dirs(module.name);
    const options = { nonFinal: project.nonFinalR, variant: run.variant };
    generated.set(module.name, await writeGeneratedSources(module, dir, symbols, own, options));
  }
  session.memo.generated = { key: linked.key, byModule: generated };
  return generated;
}

/** Somebody may have cleared the folders of generated sources below a running server. */
async function areThere(generated: ReadonlyMap<string, Inputs>): Promise<boolean> {
  const files = [...generated.values()].flatMap((inputs) => Object.keys(inputs));
  const found = await Promise.all(files.map((file) => stat(file).catch(() => null)));
  return found.every((one) => one !== null);
}

function unitOf(
  run: BuildRun,
  module: ModuleModel,
  sources: ModuleSources,
  built: ReadonlyMap<string, ModuleRecord>,
): BuildUnit {
  const upstream = new Map<string, SeenClass>();
  const upstreamNodes: ClassInfo[] = [];
  const dirs: string[] = [];
  for (const dependency of compileDependencies(run.modules, module)) {
    const record = built.get(dependency.name) ?? NO_RECORD;
    for (const [name, seen] of seenModule(record)) upstream.set(name, seen);
    upstreamNodes.push(...classesOf(record));
    const { kotlinClasses, javaClasses } = run.outputs.dirs(dependency.name);
    dirs.push(kotlinClasses, javaClasses);
  }
  const baseName = module.name === ':' ? run.project.name : (module.name.split(':').at(-1) ?? '');
  return {
    module,
    dirs: run.outputs.dirs(module.name),
    kotlinModuleName: module.kind === 'java' ? baseName : `${baseName}_${run.variant}`,
    kotlinCompiler: run.kotlinCompiler.jars,
    kotlinArguments: kotlinArguments(run, module),
    ...sources,
    classPath: [...dirs, ...run.compileLibraries, ...run.tools.compileClassPath],
    upstream,
    upstreamNodes,
  };
}

function kotlinArguments({ project, kotlinCompiler }: BuildRun, module: ModuleModel): string[] {
  const plugins = module.compilerPlugins.flatMap(({ artifact, options }) => [
    `-Xplugin=${kotlinCompiler.plugins.get(artifact) ?? ''}`,
    ...options.flatMap((option) => ['-P', `plugin:${option}`]),
  ]);
  return [...(project.kotlinVersion === null ? [] : languageArguments(project.kotlinVersion)), ...plugins];
}

/** What must stay the same for outputs of an earlier build to be built upon. */
export function modelId(project: ProjectModel, modules: readonly ModuleModel[]): string {
  const { kotlinVersion, nonTransitiveR, nonFinalR } = project;
  // Where something stands is nothing to what is built.
  const plain = modules.map((module) => ({ ...module, refusals: [], lines: undefined }));
  const compiler = kotlinVersion === null ? null : compilerOf(kotlinVersion);
  return digest(JSON.stringify([kotlinVersion, compiler, nonTransitiveR, nonFinalR, plain]));
}
