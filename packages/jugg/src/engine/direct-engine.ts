import { dirname, join } from 'node:path';
import type { Baseline } from '../project/baseline-file.ts';
import { compareSnapshots, type Snapshot } from '../project/changes.ts';
import { readProject } from '../project/direct-model.ts';
import { findProjectRoot } from '../project/gradle-files.ts';
import { projectInputs } from '../project/source-roots.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import { runBuild } from './build-run.ts';
import type { BuildContext } from './build-unit.ts';
import { chooseApp } from './choose-module.ts';
import { mostUseful, usefulFailure } from './diagnostics.ts';
import { explainNext } from './explain.ts';
import { guarded } from './guard.ts';
import { modulesOf } from './plan.ts';
import { prepare, VARIANT, type Prepared } from './prepare.ts';
import { Session } from './session.ts';
import { classJarsOf } from './stages/class-jars.ts';
import { packageState } from './stages/package.ts';
import { timedWork } from './timed-work.ts';
import { ToolBox, type ToolOptions } from './tools.ts';
import type {
  BuildState,
  ChangeSet,
  ClassJar,
  CompileOutcome,
  CompileRequest,
  Diagnostic,
  Engine,
  Explanation,
  ProjectInfo,
} from './types.ts';

export interface EngineOptions extends ToolOptions {
  readonly log: (line: string) => void;
}

/** Builds projects whose build files are plain enough to be read, without Gradle. */
export class DirectEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #tools: ToolBox;
  readonly #sessions = new Map<string, Session>();
  readonly #sources: { readonly tools: ToolBox; session(projectDir: string): Session };

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#tools = new ToolBox(options);
    this.#sources = { tools: this.#tools, session: (projectDir) => this.#session(projectDir) };
  }

  #session(projectDir: string): Session {
    const known = this.#sessions.get(projectDir);
    if (known) return known;
    const session = new Session(this.#options.dirs.state, projectDir);
    this.#sessions.set(projectDir, session);
    return session;
  }

  describe(projectDir: string): Promise<Result<ProjectInfo>> {
    return guarded(() => this.#describe(projectDir));
  }

  changes(projectDir: string): Promise<Result<ChangeSet>> {
    return guarded(() => this.#changes(projectDir));
  }

  explain(request: Omit<CompileRequest, 'allowGradle'>): Promise<Result<Explanation>> {
    return guarded(() => explainNext(request, this.#sources));
  }

  compile(request: CompileRequest, work: WorkContext): Promise<Result<CompileOutcome>> {
    return guarded(() => this.#compile(request, work));
  }

  packageApk(state: BuildState, work: WorkContext): Promise<Result<string>> {
    return guarded(() => this.#packageApk(state, work));
  }

  classJars(state: BuildState, work: WorkContext): Promise<Result<readonly ClassJar[]>> {
    return guarded(() => this.#classJars(state, work));
  }

  async #describe(projectDir: string): Promise<Result<ProjectInfo>> {
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
      noBaseline: baseline.ok ? null : baseline.reason,
      lastCompileAtMs: baseline.ok ? baseline.value.compiledAtMs : null,
    });
  }

  async #changes(projectDir: string): Promise<Result<ChangeSet>> {
    const project = await readProject(projectDir);
    if (!project.ok) return project;
    const session = this.#session(project.value.projectDir);
    const baseline = await session.baseline();
    const app = chooseApp(project.value, baseline.ok ? baseline.value.module : undefined);
    const modules = app.ok ? modulesOf(project.value, app.value.name) : project.value.modules;
    const { snapshot } = await session.look(projectInputs(project.value, modules));
    return ok(compareSnapshots(baseline.ok ? baseline.value.snapshot : new Map(), snapshot));
  }

  async #compile(request: CompileRequest, outer: WorkContext): Promise<Result<CompileOutcome>> {
    let because = '';
    const work = timedWork({
      signal: outer.signal,
      // A build that takes long says all along why.
      phase: (name, percent) => outer.phase(`${name}${because}`, percent),
      log: (line) => outer.log(line),
    });
    const prepared = await prepare(request, this.#sources, work);
    if (!prepared.ok) return prepared;
    const { session, tools, look, changes, plan, baseline: last, workspace, project } = prepared.value;
    work.log(`Plan: ${plan.kind} (${plan.rule}): ${plan.reason}`);
    const tookMs = (): number => Object.values(work.timings()).reduce((sum, ms) => sum + ms, 0);
    if (plan.kind === 'none' && last.ok) {
      session.lastMs.set('none', tookMs());
      return ok(outcomeOf(plan, last.value.state, [], changes, [], work.timings()));
    }
    if (plan.kind === 'full') because = ` (full build: ${plan.reason})`;
    const outputs = await session.outputsFor(workspace);

    const compiled = new Set<string>();
    const diagnostics: Diagnostic[] = [];
    const context: BuildContext = {
      host: tools.host,
      hostId: () => tools.host.pid,
      work,
      javaSources: session.javaSources,
      compiled: (file) => compiled.add(file),
      because: (file, reason) => work.log(`Compiled again: ${file}: ${reason}`),
      report: (list) => diagnostics.push(...list),
    };
    const built = await runBuild({
      ...prepared.value,
      variant: VARIANT,
      outputs,
      isLong: plan.kind === 'full',
      files: look.files,
      snapshot: look.snapshot,
      cacheDir: this.#options.dirs.cache,
      context,
    });
    // A file that was saved while a compiler may have read it: nobody knows which of the two contents it got.
    const inputs = [...compiled].filter((file) => look.snapshot.has(file));
    const moved = await session.movedSince(look, [...inputs, ...changes.changed.map((one) => one.file)]);
    if (moved.size > 0) await outputs.distrust(moved);
    const changedFiles = new Set(changes.changed.map(({ file }) => file));
    if (!built.ok) {
      await outputs.saved();
      return usefulFailure(built, changedFiles);
    }

    const { state, parts } = built.value;
    const baseline: Baseline = {
      projectDir: project.projectDir,
      ...workspace,
      compiledAtMs: Date.now(),
      snapshot: moved.size === 0 ? look.snapshot : withoutContent(look.snapshot, moved),
      state,
      parts,
    };
    session.saveBaseline(baseline);
    await session.tidy(baseline, Date.now());
    session.lastMs.set(plan.kind, tookMs());
    const useful = mostUseful(diagnostics, changedFiles);
    return ok(outcomeOf(plan, state, inputs, changes, useful, work.timings()));
  }

  async #packageApk(state: BuildState, outer: WorkContext): Promise<Result<string>> {
    const session = this.#session(state.projectDir);
    const baseline = await session.baseline();
    if (!baseline.ok) return fail('NO_BASELINE', `There is no build to package: ${baseline.reason}.`);
    if (baseline.value.state.id !== state.id) {
      return fail('APK_NOT_FOUND', 'The project was built again since; deploy its newest state.');
    }
    const { apkDir } = session.store.workspace(baseline.value);
    return packageState(state, baseline.value.parts, apkDir, this.#tools.host, outer);
  }

  async #classJars(state: BuildState, work: WorkContext): Promise<Result<readonly ClassJar[]>> {
    const apk = await this.#packageApk(state, work);
    if (!apk.ok) return apk;
    const session = this.#session(state.projectDir);
    const baseline = await session.baseline();
    if (!baseline.ok) return fail('NO_BASELINE', `There is no build of ${state.projectDir}.`);
    return ok(await classJarsOf(apk.value, state, baseline.value.parts, join(dirname(apk.value), 'classes')));
  }

  async lastState(projectDir: string): Promise<BuildState | null> {
    const root = (await findProjectRoot(projectDir)) ?? projectDir;
    const baseline = await this.#session(root).baseline();
    return baseline.ok ? baseline.value.state : null;
  }

  warmUp(_projectDir: string): void {
    this.#tools.host.warmUp().catch((error: unknown) => this.#options.log(`Warm-up: ${String(error)}`));
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await session.saved();
    await this.#tools.close();
  }
}

/** Lets these files count as changed next time. */
function withoutContent(snapshot: Snapshot, files: ReadonlySet<string>): Snapshot {
  return new Map([...snapshot].map(([file, seen]) => [file, files.has(file) ? { ...seen, hash: '' } : seen]));
}

function outcomeOf(
  { kind, rule, reason }: Prepared['plan'],
  state: BuildState,
  compiledFiles: readonly string[],
  changes: ChangeSet,
  diagnostics: readonly Diagnostic[],
  timings: Record<string, number>,
): CompileOutcome {
  const deletedFiles = changes.deleted.map((one) => one.file);
  return {
    state,
    kind,
    rule,
    reason,
    compiledFiles,
    deletedFiles,
    diagnostics,
    fallback: null,
    timings,
  };
}
