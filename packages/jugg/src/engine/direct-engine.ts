import { join } from 'node:path';
import { compareSnapshots, type Snapshot } from '../project/changes.ts';
import { snapshotOf, type Baseline } from '../project/baseline.ts';
import { readProject } from '../project/direct-model.ts';
import { findProjectRoot } from '../project/gradle-files.ts';
import { projectInputs } from '../project/source-roots.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import { modelId, runBuild } from './build-run.ts';
import type { BuildContext } from './build-unit.ts';
import { chooseApp } from './choose-module.ts';
import { makePlan, modulesOf, needsGradle, type Plan } from './plan.ts';
import { Session, stateOf } from './session.ts';
import { packageState } from './stages/package.ts';
import { tidyStore } from './tidy.ts';
import { timedWork } from './timed-work.ts';
import { ToolBox, type ToolOptions } from './tools.ts';
import type {
  BuildState,
  ChangeSet,
  CompileOutcome,
  CompileRequest,
  Diagnostic,
  Engine,
  ProjectInfo,
} from './types.ts';

export interface EngineOptions extends ToolOptions {
  readonly log: (line: string) => void;
}

const VARIANT = 'debug';

/** Builds projects whose build files are plain enough to be read, without Gradle. */
export class DirectEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #tools: ToolBox;
  readonly #sessions = new Map<string, Session>();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#tools = new ToolBox(options);
  }

  #session(projectDir: string): Session {
    const known = this.#sessions.get(projectDir);
    if (known) return known;
    const session = new Session(this.#options.dirs.state, projectDir);
    this.#sessions.set(projectDir, session);
    return session;
  }

  async describe(projectDir: string): Promise<Result<ProjectInfo>> {
    const project = await readProject(projectDir);
    if (!project.ok) return project;
    const { name, modules } = project.value;
    const baseline = await this.#session(project.value.projectDir).baseline();
    const app = chooseApp(project.value, undefined);
    return ok({
      projectDir: project.value.projectDir,
      name,
      modules: modules.map((module) => ({
        name: module.name,
        kind: module.kind ?? 'unknown',
        dir: module.dir,
      })),
      applicationId: app.ok ? app.value.applicationId : null,
      variant: baseline.ok ? baseline.value.variant : VARIANT,
      hasBeenFullCompiled: baseline.ok,
      lastCompileAtMs: baseline.ok ? baseline.value.compiledAtMs : null,
    });
  }

  async changes(projectDir: string): Promise<Result<ChangeSet>> {
    const project = await readProject(projectDir);
    if (!project.ok) return project;
    const session = this.#session(project.value.projectDir);
    const baseline = await session.baseline();
    const app = chooseApp(project.value, baseline.ok ? baseline.value.module : undefined);
    const modules = app.ok ? modulesOf(project.value, app.value.name) : project.value.modules;
    const { snapshot } = await session.look(projectInputs(project.value, modules));
    return ok(compareSnapshots(baseline.ok ? snapshotOf(baseline.value) : new Map(), snapshot));
  }

  async compile(request: CompileRequest, outer: WorkContext): Promise<Result<CompileOutcome>> {
    const work = timedWork(outer);
    work.phase('Changes');
    const project = await readProject(request.projectDir);
    if (!project.ok) return project;
    const chosen = chooseApp(project.value, request.module);
    if (!chosen.ok) return chosen;
    if (request.variant !== undefined && request.variant !== VARIANT) {
      return fail(
        'FEATURE_NOT_SUPPORTED',
        `variant: got "${request.variant}"; without Gradle Jugg builds only "${VARIANT}".`,
        { data: { candidates: [VARIANT] } },
      );
    }
    const app = chosen.value;
    const gradle = needsGradle(project.value, app.name);
    if (gradle !== null) return gradleNeeded(gradle);
    const { projectDir } = project.value;
    const session = this.#session(projectDir);
    const tools = await this.#tools.forProject(projectDir, work);
    if (!tools.ok) return tools;
    const modules = modulesOf(project.value, app.name);
    const libraries = await this.#libraries(project.value.kotlinVersion, modules, work);
    if (!libraries.ok) return libraries;

    work.phase('Changes');
    const look = await session.look(projectInputs(project.value, modules));
    const loaded = await session.baseline();
    const before: Snapshot = loaded.ok ? snapshotOf(loaded.value) : new Map();
    const changes = compareSnapshots(before, look.snapshot);
    const workspace = {
      toolsId: tools.value.id,
      modelId: modelId(project.value, modules),
      module: app.name,
      variant: VARIANT,
    };
    const plan = makePlan({
      project: project.value,
      ...workspace,
      baseline: loaded.ok ? loaded.value : { missing: loaded.reason },
      changes,
    });
    work.log(`Plan: ${plan.kind} (${plan.rule}): ${plan.reason}`);
    if (plan.kind === 'none' && loaded.ok) {
      return ok(outcomeOf('none', stateOf(loaded.value), [], changes, [], work.timings()));
    }
    if ((await session.store.prepare(workspace)) === 'cleared') session.forget();

    const compiled = new Set<string>();
    const diagnostics: Diagnostic[] = [];
    const context: BuildContext = {
      host: tools.value.host,
      hostId: () => tools.value.host.pid,
      work,
      javaSources: session.javaSources,
      compiled: (file) => compiled.add(file),
      because: (file, reason) => work.log(`Compiled again: ${file}: ${reason}`),
      report: (list) => diagnostics.push(...list),
    };
    const built = await runBuild({
      project: project.value,
      app,
      variant: VARIANT,
      modules,
      files: look.files,
      snapshot: look.snapshot,
      session,
      tools: tools.value,
      libraries: libraries.value,
      cacheDir: this.#options.dirs.cache,
      context,
    });
    // A file that was saved while a compiler may have read it: nobody knows which of the two contents it got.
    const inputs = [...compiled].filter((file) => look.snapshot.has(file));
    const moved = await session.movedSince(look, [...inputs, ...changes.changed.map((one) => one.file)]);
    if (moved.size > 0) await session.modules.distrust(moved);
    if (!built.ok) return built;

    const { state, parts } = built.value;
    const snapshot = Object.fromEntries(
      [...look.snapshot].map(([file, seen]) => [file, moved.has(file) ? { ...seen, hash: '' } : seen]),
    );
    const baseline: Baseline = {
      projectDir,
      ...workspace,
      compiledAtMs: Date.now(),
      snapshot,
      state: { ...state, classes: Object.fromEntries(state.classes) },
      parts,
    };
    await session.saveBaseline(baseline);
    if (plan.kind === 'full' || changes.changed.some((one) => one.type === 'Resource')) {
      await tidyStore(session.store.root, baseline, Date.now());
    }
    const kind = plan.kind === 'full' ? 'full' : 'incremental';
    return ok(outcomeOf(kind, state, inputs, changes, diagnostics, work.timings()));
  }

  async #libraries(
    kotlinVersion: string | null,
    modules: readonly { readonly hasKotlin: boolean }[],
    work: WorkContext,
  ): Promise<Result<readonly string[]>> {
    if (kotlinVersion === null || !modules.some((module) => module.hasKotlin)) return ok([]);
    return this.#tools.standardLibrary(kotlinVersion, work);
  }

  async packageApk(state: BuildState, outer: WorkContext): Promise<Result<string>> {
    const session = this.#session(state.projectDir);
    const baseline = await session.baseline();
    if (!baseline.ok) return fail('NO_BASELINE', `There is no build to package: ${baseline.reason}.`);
    if (baseline.value.state.id !== state.id) {
      return fail('APK_NOT_FOUND', 'The project was built again since; deploy its newest state.');
    }
    const dir = join(session.store.root, 'apk');
    return packageState(state, baseline.value.parts, dir, this.#tools.host, outer);
  }

  async lastState(projectDir: string): Promise<BuildState | null> {
    const root = (await findProjectRoot(projectDir)) ?? projectDir;
    const baseline = await this.#session(root).baseline();
    return baseline.ok ? stateOf(baseline.value) : null;
  }

  warmUp(_projectDir: string): void {
    this.#tools.host.warmUp().catch((error: unknown) => this.#options.log(`Warm-up: ${String(error)}`));
  }

  async close(): Promise<void> {
    await this.#tools.close();
  }
}

function gradleNeeded(plan: Plan): Result<never> {
  const { rule, reason, refusals } = plan;
  return fail('FALLBACK_NEEDED', `${reason}. Build it with Gradle or Android Studio.`, {
    data: { rule, reason, refusals: refusals.slice(0, 20), refusalCount: refusals.length },
  });
}

function outcomeOf(
  kind: CompileOutcome['kind'],
  state: BuildState,
  compiledFiles: readonly string[],
  changes: ChangeSet,
  diagnostics: readonly Diagnostic[],
  timings: Record<string, number>,
): CompileOutcome {
  const deletedFiles = changes.deleted.map((one) => one.file);
  return { state, kind, compiledFiles, deletedFiles, diagnostics, fallback: null, timings };
}
