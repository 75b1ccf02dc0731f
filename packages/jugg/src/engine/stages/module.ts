import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { ok, type Fault, type Result } from '../../shared/outcome.ts';
import type { ClassInfo } from '../../toolchain/types.ts';
import type { BuildContext, BuildUnit } from '../build-unit.ts';
import { affectedSources, changedFaces, type ChangedClass, type SourceNode } from '../effects.ts';
import {
  compareInputs,
  seenModule,
  type Inputs,
  type KotlinRecord,
  type ModuleRecord,
  type SeenClass,
} from '../module-record.ts';
import type { ModuleSources } from '../module-sources.ts';
import { isSourceFault, joinedErrors } from './compile-failure.ts';
import { JavaStage } from './java.ts';
import { compileKotlin, notCompared, reachedByJava, upstreamChanged, upstreamNews } from './kotlin.ts';
import { digestOfNames, namesInRClass } from './r-names.ts';

/** Constants that depend on each other in a circle of sources settle in two rounds; more than this is a fault of ours. */
const MAX_ROUNDS = 12;

/** The answer of a module: `record` describes the folders also when `failure` says that something is wrong. */
export interface ModuleOutcome {
  readonly record: ModuleRecord;
  readonly failure: Result<never> | null;
}

/**
 * Brings the classes of one module up to date with its sources and with the modules it depends on.
 *
 * Kotlin is compiled before Java, which it reads as source; then Java, round after round, until no class changes its face
 * any more. When only Java changed, javac goes first: a change inside a method body is nothing to Kotlin.
 */
export async function compileModule(
  unit: BuildUnit,
  context: BuildContext,
  record: ModuleRecord,
): Promise<ModuleOutcome> {
  const compile = new ModuleCompile(unit, context, record);
  const result = await compile.run();
  return { record: compile.record(), failure: result.ok ? null : result };
}

/** Whether a module's outputs were made from these sources. */
export function hasSameSources(
  { kotlin, java }: ModuleRecord,
  { kotlinSources, javaSources }: ModuleSources,
): boolean {
  if (java === null || differ(java.inputs, javaSources)) return false;
  return kotlin === null ? Object.keys(kotlinSources).length === 0 : !differ(kotlin.inputs, kotlinSources);
}

/** Whether a module's outputs are what a compile would make them, as far as its inputs tell. */
export function isUpToDate(unit: BuildUnit, record: ModuleRecord): boolean {
  const { kotlin, java } = record;
  if (java === null || !hasSameSources(record, unit)) return false;
  if (kotlin !== null && upstreamChanged(unit, kotlin)) return false;
  const seen = new Map(unit.upstream);
  for (const [name, one] of seenModule({ kotlin, java: null })) seen.set(name, one);
  return changedFaces(new Map(Object.entries(java.seen)), seen).length === 0;
}

class ModuleCompile {
  readonly #unit: BuildUnit;
  readonly #context: BuildContext;
  readonly #before: ModuleRecord;
  #kotlin: KotlinRecord | null;
  /** What the Java classes were last compiled from and against; `null` when nothing is known of them. */
  #javaInputs: Inputs | null;
  #javaSeen: ReadonlyMap<string, SeenClass>;
  #javaClasses: readonly ClassInfo[];
  #resourceNames: string;
  #stage: JavaStage | null = null;
  /** Java sources that the Kotlin compiler was told of in this compile. */
  readonly #told = new Set<string>();
  #kotlinRan = false;
  readonly #hostId: number | undefined;

  constructor(unit: BuildUnit, context: BuildContext, record: ModuleRecord) {
    this.#unit = unit;
    this.#context = context;
    this.#before = record;
    this.#hostId = context.hostId();
    this.#kotlin = record.kotlin;
    this.#javaInputs = record.java?.inputs ?? null;
    this.#javaSeen = new Map(Object.entries(record.java?.seen ?? {}));
    this.#javaClasses = record.java?.classes ?? [];
    this.#resourceNames = record.java?.resourceNames ?? '';
  }

  record(): ModuleRecord {
    const java =
      this.#javaInputs === null
        ? null
        : {
            inputs: this.#javaInputs,
            seen: Object.fromEntries(this.#javaSeen),
            classes: this.#javaClasses,
            resourceNames: this.#resourceNames,
          };
    return { kotlin: this.#kotlin, java };
  }

  async run(): Promise<Result<void>> {
    await this.#clearUnknownOutputs();
    await this.#passOverUpstream();
    const first = this.#onlyJavaChanged() ? await this.#compileJava() : ok(undefined);
    // What javac does not accept may be right once Kotlin has seen it too.
    if (!first.ok && !isSourceFault(first.fault)) return first;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (this.#kotlinIsStale()) {
        const done = await this.#compileKotlin();
        // Neither compiler likes the Java that changed: what javac says of it is nearer to the cause.
        if (!done.ok) return first.ok ? done : joinedErrors(first.fault, done.fault, this.#changedJava());
      }
      const done = await this.#compileJava();
      if (!done.ok) return done;
      if (!this.#kotlinIsStale()) break;
    }
    if (this.#kotlin !== null) this.#kotlin = { ...this.#kotlin, javaAbi: facesOf(this.#javaClasses) };
    return ok(undefined);
  }

  async #clearUnknownOutputs(): Promise<void> {
    const { dirs } = this.#unit;
    const unknown = [
      ...(this.#kotlin === null ? [dirs.kotlinClasses, dirs.kotlinCache] : []),
      ...(this.#javaInputs === null ? [dirs.javaClasses] : []),
    ];
    for (const dir of unknown) await rm(dir, { recursive: true, force: true });
    // Compilers warn about folders of the class path that are not there.
    for (const dir of [dirs.kotlinClasses, dirs.javaClasses]) await mkdir(dir, { recursive: true });
  }

  /**
   * When other modules' classes changed so that no Kotlin source here can notice, the Kotlin compiler need not find that out
   * for itself, which takes it as long as a small compile. Only for Java's classes: Kotlin's hold more than we can tell.
   */
  async #passOverUpstream(): Promise<void> {
    const kotlin = this.#kotlin;
    const { kotlinSources, upstream } = this.#unit;
    if (kotlin === null || !this.#hasKotlin() || differ(kotlin.inputs, kotlinSources)) return;
    const news = upstreamNews(this.#unit, kotlin);
    if (news.isKotlin || news.java.length === 0) return;
    if ((await reachedByJava(this.#unit, this.#context, kotlin, this.#javaClasses)).size > 0) return;
    this.#kotlin = { ...kotlin, seen: Object.fromEntries(upstream), notCompared: notCompared(kotlin, news) };
  }

  #hasKotlin(): boolean {
    return Object.keys(this.#unit.kotlinSources).length > 0 || (this.#kotlin?.classes.length ?? 0) > 0;
  }

  #onlyJavaChanged(): boolean {
    const kotlin = this.#kotlin;
    if (kotlin === null || this.#before.java === null || !this.#hasKotlin()) return false;
    return !differ(kotlin.inputs, this.#unit.kotlinSources) && !upstreamChanged(this.#unit, kotlin);
  }

  /** What was edited: no generated sources. */
  #changedJava(): ReadonlySet<string> {
    const { changed } = compareInputs(this.#before.java?.inputs ?? {}, this.#unit.javaSources);
    return new Set(changed.filter((file) => !file.startsWith(this.#unit.dirs.generated)));
  }

  #kotlinIsStale(): boolean {
    const { kotlinSources, javaSources } = this.#unit;
    const kotlin = this.#kotlin;
    if (!this.#hasKotlin()) return false;
    if (kotlin === null || differ(kotlin.inputs, kotlinSources)) return true;
    if (upstreamChanged(this.#unit, kotlin)) return true;
    // Java that javac has not compiled yet may look like anything; what it has compiled shows its face.
    if (this.#javaInputs !== javaSources) return differ(kotlin.java, javaSources);
    const news = this.#javaNews();
    return news.sources.length > 0 || news.removed;
  }

  /** Java classes that look otherwise than when Kotlin last read their sources. */
  #javaNews(): { readonly sources: readonly string[]; readonly removed: boolean } {
    const known = this.#kotlin?.javaAbi;
    if (known === undefined || this.#stage === null) return { sources: [], removed: false };
    const sources = new Set<string>();
    for (const info of this.#javaClasses) {
      if (known[info.name] === info.abi) continue;
      for (const file of this.#stage.sourcesOf(info)) {
        if (!this.#told.has(file) && file in this.#unit.javaSources) sources.add(file);
      }
    }
    const names = new Set(this.#javaClasses.map((info) => info.name));
    // A class only goes when its source changes or goes, which the Kotlin compiler is told at its next run.
    const removed = !this.#kotlinRan && Object.keys(known).some((name) => !names.has(name));
    return { sources: [...sources], removed };
  }

  async #compileKotlin(): Promise<Result<void>> {
    this.#context.work.phase(`Kotlin ${this.#unit.module.name}`);
    const news = this.#javaNews().sources;
    const known = this.#kotlin?.java ?? {};
    const done = await compileKotlin(this.#unit, this.#context, this.#kotlin, news, this.#javaClasses);
    if (!done.ok) {
      if (!this.#leavesOutputs(done.fault)) this.#kotlin = null;
      return done;
    }
    this.#kotlinRan = true;
    for (const file of [...news, ...compareInputs(known, this.#unit.javaSources).changed])
      this.#told.add(file);
    this.#kotlin = { ...done.value, javaAbi: this.#kotlin?.javaAbi ?? {} };
    return ok(undefined);
  }

  async #compileJava(): Promise<Result<void>> {
    const { javaSources } = this.#unit;
    const before =
      this.#javaInputs === null ? null : { inputs: this.#javaInputs, classes: this.#javaClasses };
    const stage = await JavaStage.open(this.#unit, this.#context, before);
    this.#stage = stage;
    const seen = this.#everythingJavaSees();
    const own = compareInputs(before?.inputs ?? {}, javaSources);
    let dirty = new Set(own.changed);
    let removed = own.removed;
    if (before !== null) {
      // Classes of sources that are gone are gone whatever javac says.
      const gone = stage.classesOf(new Set(removed)).map((info) => goneClass(info));
      await this.#addAffected(dirty, stage, [...changedFaces(this.#javaSeen, seen), ...gone]);
    }
    for (let round = 0; dirty.size > 0 || removed.length > 0; round++) {
      if (round === 0) this.#context.work.phase(`Java ${this.#unit.module.name}`);
      // Circles that do not settle: everything at once is what a clean build does.
      const files = round < MAX_ROUNDS ? [...dirty] : Object.keys(javaSources);
      const faces = new Map(stage.classes);
      const done = await stage.compile(files, removed);
      if (!done.ok) {
        // The stage has put everything back, if the host did not die over it.
        if (!stage.intact || !this.#leavesOutputs(done.fault)) this.#forgetJava();
        return done;
      }
      if (round > MAX_ROUNDS) break;
      removed = [];
      dirty = new Set(stage.collisions(files, faces));
      if (before !== null) await this.#addAffected(dirty, stage, changedFaces(faces, stage.classes), files);
    }
    await stage.finish();
    if (own.changed.length + own.removed.length > 0) this.#resourceNames = await this.#namesOfResources();
    this.#javaInputs = javaSources;
    this.#javaSeen = seen;
    this.#javaClasses = [...stage.classes.values()];
    return ok(undefined);
  }

  async #namesOfResources(): Promise<string> {
    const { javaSources, dirs } = this.#unit;
    const file = Object.keys(javaSources).find(
      (path) => path.startsWith(dirs.generated) && basename(path) === 'R.java',
    );
    return file === undefined ? '' : digestOfNames(namesInRClass(await readFile(file, 'utf8')));
  }

  /** Only a host that has answered has left its folder as it was; one that was killed may have been writing. */
  #leavesOutputs(fault: Fault): boolean {
    return isSourceFault(fault) || (fault.code === 'CANCELED' && this.#context.hostId() === this.#hostId);
  }

  #forgetJava(): void {
    this.#javaInputs = null;
    this.#javaClasses = [];
    this.#javaSeen = new Map();
  }

  #everythingJavaSees(): Map<string, SeenClass> {
    const seen = new Map(this.#unit.upstream);
    for (const [name, one] of seenModule({ kotlin: this.#kotlin, java: null })) seen.set(name, one);
    return seen;
  }

  /** Adds the Java sources that the change of other classes makes stale; `fresh` ones were just compiled together. */
  async #addAffected(
    dirty: Set<string>,
    stage: JavaStage,
    changed: readonly ChangedClass[],
    fresh: readonly string[] = [],
  ): Promise<void> {
    if (changed.length === 0) return;
    const nodes = [...stage.classes.values(), ...(this.#kotlin?.classes ?? []), ...this.#unit.upstreamNodes];
    const affected = affectedSources(changed, nodes, await this.#sourceNodes(stage));
    const compiledTogether = new Set(fresh);
    for (const [file, reason] of affected) {
      if (compiledTogether.has(file) || dirty.has(file)) continue;
      dirty.add(file);
      this.#context.because(file, reason);
    }
  }

  async #sourceNodes(stage: JavaStage): Promise<SourceNode[]> {
    const classes = new Map<string, string[]>();
    for (const info of stage.classes.values()) {
      for (const file of stage.sourcesOf(info)) {
        const list = classes.get(file);
        if (list) list.push(info.name);
        else classes.set(file, [info.name]);
      }
    }
    const nodes: SourceNode[] = [];
    for (const [file, hash] of Object.entries(this.#unit.javaSources)) {
      const { identifiers } = await this.#context.javaSources.read(file, hash);
      nodes.push({ file, identifiers, classes: classes.get(file) ?? [] });
    }
    return nodes;
  }
}

function goneClass({ name, constants }: ClassInfo): ChangedClass {
  return { name, kind: 'removed', constants, spreads: true };
}

function differ(before: Inputs, after: Inputs): boolean {
  const { changed, removed } = compareInputs(before, after);
  return changed.length > 0 || removed.length > 0;
}

function facesOf(classes: readonly ClassInfo[]): Record<string, string> {
  return Object.fromEntries(classes.map((info) => [info.name, info.abi]));
}
