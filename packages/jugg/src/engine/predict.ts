import { basename } from 'node:path';
import type { ClassInfo } from '../toolchain/types.ts';
import {
  affectedSources,
  isResourceClass,
  simpleName,
  type ChangedClass,
  type SourceNode,
} from './effects.ts';
import { affectedInTurn } from './followers.ts';
import type { Declarations } from './java-source.ts';
import {
  bySourceName,
  compareInputs,
  PART_MARK,
  type Inputs,
  type ModuleRecord,
  type SeenClass,
} from './module-record.ts';
import { sealedAbove } from './sealed.ts';
import type { SourceFace } from './source-face.ts';

/** What is known of one module when nothing is compiled. */
export interface KnownModule {
  readonly name: string;
  /** Names of the modules that it compiles against. */
  readonly upstream: ReadonlySet<string>;
  readonly record: ModuleRecord;
  readonly kotlinSources: Inputs;
  /** Without the generated ones. */
  readonly javaSources: Inputs;
  /** Whether it has an R class or the like, where those lie, and whether one of them will be another. */
  readonly hasGenerated: boolean;
  readonly generatedDir: string;
  readonly generatedChanges: boolean;
  /** Binary names that its R classes will have: `com.example.R`, `com.example.R$string`. */
  readonly resourceClasses: readonly string[];
}

export interface PredictInput {
  /** Dependencies first, the app last. */
  readonly modules: readonly KnownModule[];
  /** Resource files that aapt2 compiles, and whether it links. */
  readonly resources: readonly string[];
  readonly linksResources: boolean;
  /** Changed files that are neither code nor resources. */
  readonly otherFiles: readonly string[];
  /** Every identifier in the text of a source. */
  readonly identifiersOf: (file: string) => ReadonlySet<string>;
  readonly faceOf: (file: string) => Promise<SourceFace>;
  /** Of the sources that `staleSources` names. */
  readonly declarationsOf: (file: string) => Declarations;
}

export interface Prediction {
  /** As the phases of a compile are called; with `(if needed)` those that depend on what a compiler finds. */
  readonly stages: readonly string[];
  /** Files that will be compiled or packaged because they changed. */
  readonly files: readonly string[];
  /** Unchanged files that are compiled again if what others see of a changed one is not what it was. */
  readonly recompileBecause: readonly { readonly file: string; readonly because: string }[];
}

const IF_NEEDED = ' (if needed)';

/** A module with what of its sources is not as its outputs were made from. */
interface Stale extends KnownModule {
  readonly kotlin: { readonly changed: readonly string[]; readonly removed: readonly string[] };
  readonly java: { readonly changed: readonly string[]; readonly removed: readonly string[] };
  readonly isStale: boolean;
}

/** What a compile does; rather a file too many in `recompileBecause` than one missed. */
export async function predict(input: PredictInput): Promise<Prediction> {
  const modules = input.modules.map(staleness);
  const changed = modules.flatMap(({ kotlin, java }) => [...kotlin.changed, ...java.changed]);
  const sealed = sealedClasses(modules, input);
  const because = await affectedInTurn(
    [...changedClasses(modules, input), ...sealed.classes],
    modules.flatMap(allClasses),
    sourceNodes(modules, input),
    input.faceOf,
  );
  const add = (more: ReadonlyMap<string, string>): void => {
    for (const [file, reason] of more) if (!because.has(file)) because.set(file, reason);
  };
  add(sealed.files);
  add(kotlinAnew(modules));
  add(inlinedFromElsewhere(modules, input));
  add(notComparedYet(modules, input));
  add(notToldYet(modules, input));
  add(otherParts(modules, input, (file) => because.has(file) || changed.includes(file)));
  for (const file of changed) because.delete(file);
  // Names are looked up in all modules; only what depends on a stale one can notice it.
  const mayNotice = reached(modules);
  for (const { name, kotlinSources, javaSources } of modules)
    if (!mayNotice.has(name))
      for (const file of Object.keys({ ...kotlinSources, ...javaSources })) because.delete(file);
  return {
    stages: stages(modules, input),
    files: [...changed, ...input.resources, ...input.otherFiles],
    recompileBecause: [...because].map(([file, reason]) => ({ file, because: reason })),
  };
}

/** The sources that are not as the outputs were made from. */
export function staleSources(modules: readonly KnownModule[]): string[] {
  return modules.map(staleness).flatMap(({ kotlin, java }) => [...kotlin.changed, ...java.changed]);
}

/** By the records of the outputs, which a failed compile may have brought up to date in part. */
function staleness(module: KnownModule): Stale {
  const { record, kotlinSources, javaSources } = module;
  const kotlin = compareInputs(record.kotlin?.inputs ?? {}, kotlinSources);
  const inputs = Object.entries(record.java?.inputs ?? {});
  const own = inputs.filter(([file]) => !file.startsWith(module.generatedDir));
  const java = compareInputs(Object.fromEntries(own), javaSources);
  const isStale = [kotlin.changed, kotlin.removed, java.changed, java.removed].some(
    ({ length }) => length > 0,
  );
  return { ...module, kotlin, java, isStale: isStale || module.generatedChanges };
}

function stages(modules: readonly Stale[], { linksResources }: PredictInput): string[] {
  const found: string[] = linksResources ? ['Resources'] : [];
  const stale = reached(modules);
  for (const { name, record, kotlin, java, ...module } of modules) {
    const hasKotlin =
      Object.keys(module.kotlinSources).length > 0 || (record.kotlin?.classes.length ?? 0) > 0;
    const hasJava = module.hasGenerated || Object.keys(module.javaSources).length > 0;
    if (hasKotlin && kotlin.changed.length + kotlin.removed.length > 0) found.push(`Kotlin ${name}`);
    else if (hasKotlin && stale.has(name)) found.push(`Kotlin ${name}${IF_NEEDED}`);
    if (module.generatedChanges || java.changed.length + java.removed.length > 0) found.push(`Java ${name}`);
    else if (hasJava && stale.has(name)) found.push(`Java ${name}${IF_NEEDED}`);
  }
  if (stale.size > 0) found.push(`Dex${IF_NEEDED}`);
  return [...found, 'Dex of libraries'];
}

/** Sealed classes whose list of classes below them may change, as if each had got another face, and their sources. */
function sealedClasses(
  modules: readonly Stale[],
  { identifiersOf }: PredictInput,
): { readonly files: ReadonlyMap<string, string>; readonly classes: readonly ChangedClass[] } {
  const files = new Map<string, string>();
  const classes: ChangedClass[] = [];
  for (const { kotlin, kotlinSources, record } of modules) {
    const module = { kotlinSources: Object.keys(kotlinSources), record: record.kotlin };
    for (const [file, reason] of sealedAbove(kotlin.changed, kotlin.removed, module, identifiersOf)) {
      files.set(file, reason);
      for (const { name, constants } of classesOf(record, file))
        classes.push({ name, kind: 'changed', constants, spreads: true });
    }
  }
  return { files, classes };
}

/**
 * The Kotlin compiler starts a module over when a Java source of it goes: it does not know what depended on it. One that it has
 * not been told of yet, as a compile failed since, counts too.
 */
function kotlinAnew(modules: readonly Stale[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { java, javaSources, kotlinSources, record, generatedDir } of modules) {
    const known = Object.keys(record.kotlin?.java ?? {});
    const untold = known.filter((file) => !(file in javaSources) && !file.startsWith(generatedDir));
    const [gone] = [...java.removed, ...untold];
    if (gone === undefined) continue;
    for (const file of Object.keys(kotlinSources)) found.set(file, `${basename(gone)} of its module is gone`);
  }
  return found;
}

/**
 * When the Kotlin compiler compares its class path again, it finds the Java classes that had changed before, of which it was
 * told when they did, and what it takes for changed though nobody can notice: it compiles their users once more.
 */
function notComparedYet(modules: readonly Stale[], input: PredictInput): Map<string, string> {
  const found = new Map<string, string>();
  const stale = reached(modules);
  for (const module of modules) {
    const { kotlin } = module.record;
    if (kotlin === null || ![...module.upstream].some((name) => stale.has(name))) continue;
    const upstream = modules.filter(({ name }) => module.upstream.has(name));
    const names = [...kotlin.notCompared, ...otherNested(upstream.flatMap(allClasses), kotlin.seen)];
    if (names.length === 0) continue;
    const changed = names.map((name): ChangedClass => {
      // Some came or went: by name, too.
      return { name, kind: 'added', constants: kotlin.seen[name]?.constants ?? [], spreads: true };
    });
    const because = 'may use a class that changed since the compiler last compared its class path';
    const nodes = [...allClasses(module), ...upstream.flatMap(allClasses)];
    const sources = sourceNodes([{ ...module, javaSources: {} }], input);
    for (const file of affectedSources(changed, nodes, sources).keys()) found.set(file, because);
  }
  return found;
}

/** The classes that mention other nested classes than when they were seen. */
function otherNested(classes: readonly ClassInfo[], seen: Readonly<Record<string, SeenClass>>): string[] {
  return classes.filter(({ name, nested }) => seen[name]?.nested !== nested).map(({ name }) => name);
}

/**
 * A change within methods of a Java class is nothing to Kotlin, which is not run for it. When it runs for another reason it is
 * told of that class too, and compiles what uses it.
 */
function notToldYet(modules: readonly Stale[], input: PredictInput): Map<string, string> {
  const found = new Map<string, string>();
  for (const module of modules) {
    const { kotlin, java } = module.record;
    if (kotlin === null || java === null) continue;
    const changed = compareInputs(kotlin.java, java.inputs)
      .changed.flatMap((file) => classesOf(module.record, file))
      .map(({ name, constants }): ChangedClass => ({ name, kind: 'changed', constants, spreads: true }));
    const sources = sourceNodes([{ ...module, javaSources: {} }], input);
    const because = 'may use a Java class that changed since the Kotlin compiler last ran';
    for (const file of affectedSources(changed, allClasses(module), sources).keys()) found.set(file, because);
  }
  return found;
}

/** The modules that are stale, and those that have one of these among their upstream: modules pass on what reaches them. */
function reached(modules: readonly Stale[]): Set<string> {
  const stale = new Set(modules.filter(({ isStale }) => isStale).map(({ name }) => name));
  for (const { name, upstream } of modules) if ([...upstream].some((one) => stale.has(one))) stale.add(name);
  return stale;
}

/** All Kotlin above a module in which a class with code to copy has moved to a source of another name, see `kotlin.ts`. */
function inlinedFromElsewhere(
  modules: readonly Stale[],
  { declarationsOf }: PredictInput,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, kotlin, record } of modules) {
    const declared = new Set(
      kotlin.changed.flatMap((file) => [...declarationsOf(file).classes, facadeOf(file)]),
    );
    const moved = kotlin.removed.find(
      (file) =>
        record.kotlin?.inlineSources.includes(basename(file)) === true &&
        classesOf(record, file).some((one) => declared.has(simpleName(one.name))),
    );
    if (moved === undefined) continue;
    for (const above of modules.filter(({ upstream }) => upstream.has(name)))
      for (const file of Object.keys(above.kotlinSources))
        found.set(file, `what it copies may have moved out of ${basename(moved)}`);
  }
  return found;
}

/** Kotlin's class for what a file declares outside of classes. */
function facadeOf(file: string): string {
  const name = basename(file, '.kt');
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Kt`;
}

/** It also compiles all the parts of a class that is written in several files when it compiles one of them. */
function otherParts(
  modules: readonly Stale[],
  { identifiersOf }: PredictInput,
  compiled: (file: string) => boolean,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const { kotlin, kotlinSources, record } of modules) {
    const isPart = (file: string): boolean => identifiersOf(file).has(PART);
    const wasPart = (file: string): boolean =>
      classesOf(record, file).some(({ name }) => name.includes(PART_MARK));
    const parts = Object.keys(kotlinSources).filter(isPart);
    const first = parts.find(compiled) ?? [...kotlin.changed, ...kotlin.removed].find(wasPart);
    if (first === undefined) continue;
    for (const file of parts) found.set(file, `is a part of one class with ${basename(first)}`);
  }
  return found;
}

/** The annotation of a file that is a part of a class; the classes of parts are called `Whole__Part`. */
const PART = 'JvmMultifileClass';

function allClasses({ record }: KnownModule): ClassInfo[] {
  return [...(record.kotlin?.classes ?? []), ...(record.java?.classes ?? [])];
}

/** The classes of the changed and removed sources, as if each had got another face. */
function changedClasses(
  modules: readonly Stale[],
  { declarationsOf, identifiersOf }: PredictInput,
): ChangedClass[] {
  const found: ChangedClass[] = [];
  for (const { record, kotlin, java, ...module } of modules) {
    for (const file of [...kotlin.removed, ...java.removed]) {
      for (const { name, constants } of classesOf(record, file)) {
        found.push({ name, kind: 'removed', constants, spreads: true });
      }
    }
    for (const file of [...kotlin.changed, ...java.changed]) {
      const { classes, copied } = declarationsOf(file);
      const known = classesOf(record, file);
      // Names that come or go may be those of others.
      const names = new Set(classes);
      // Whether there still is something outside of classes is not looked into.
      const facade = facadeOf(file);
      if (known.some(({ name }) => simpleName(name) === facade)) names.add(facade);
      if (known.length === 0) names.add(basename(file).replace(/\.\w+$/, ''));
      for (const { name, constants } of known) {
        const kind = names.delete(simpleName(name)) ? 'changed' : 'removed';
        found.push({ name, kind, constants: [...constants, ...copied], spreads: true });
      }
      for (const name of names) found.push({ name, kind: 'added', constants: [...copied], spreads: true });
    }
    if (module.generatedChanges) found.push(...changedResourceClasses(record, module.resourceClasses));
    if ([...kotlin.changed, ...kotlin.removed].some((file) => isPartOfClass(file, record, identifiersOf)))
      found.push(...changedWholes(record));
  }
  return found;
}

function isPartOfClass(
  file: string,
  record: ModuleRecord,
  identifiersOf: PredictInput['identifiersOf'],
): boolean {
  return (
    identifiersOf(file).has(PART) || classesOf(record, file).some(({ name }) => name.includes(PART_MARK))
  );
}

/** Who uses a part of a class that is written in several files mentions the whole, which no source is said to be that of. */
function changedWholes({ kotlin }: ModuleRecord): ChangedClass[] {
  const parts = (kotlin?.classes ?? []).filter(({ name }) => name.includes(PART_MARK));
  return parts.map(({ name, constants }): ChangedClass => {
    return { name: name.slice(0, name.indexOf(PART_MARK)), kind: 'changed', constants, spreads: true };
  });
}

/** A type of resources that comes or goes is a class that comes or goes: `id`, whoever writes that. */
function changedResourceClasses(record: ModuleRecord, wanted: readonly string[]): ChangedClass[] {
  const known = (record.java?.classes ?? []).filter(({ name }) => isResourceClass(name));
  const names = new Set(wanted);
  const changed = known.map(({ name, constants }): ChangedClass => {
    return { name, kind: names.delete(name) ? 'changed' : 'removed', constants, spreads: false };
  });
  const added = [...names].map((name): ChangedClass => {
    return { name, kind: 'added', constants: [], spreads: false };
  });
  return [...changed, ...added];
}

function sourceNodes(modules: readonly Stale[], { identifiersOf }: PredictInput): SourceNode[] {
  return modules.flatMap(({ record, kotlinSources, javaSources }) =>
    Object.keys({ ...kotlinSources, ...javaSources }).map((file) => {
      // The class of the file's own name first: its reason says the most.
      const classes = classesOf(record, file)
        .map(({ name }) => name)
        .sort((a, b) => a.length - b.length);
      return { file, classes, identifiers: identifiersOf(file) };
    }),
  );
}

/** Two files of one name count for the classes of both. */
function classesOf({ kotlin, java }: ModuleRecord, file: string): readonly ClassInfo[] {
  const name = basename(file);
  const stage = name.endsWith('.kt') ? kotlin : java;
  if (stage === null || !(file in stage.inputs)) return [];
  return bySourceName(stage.classes).get(name) ?? [];
}
