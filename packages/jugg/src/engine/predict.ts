import { basename } from 'node:path';
import { isResourceClass, simpleName, type ChangedClass } from './effects.ts';
import { affectedInTurn } from './followers.ts';
import type { Declarations } from './java-source.ts';
import { inlinedFromElsewhere, kotlinAnew, notComparedYet, notToldYet, otherParts } from './kotlin-habits.ts';
import {
  classesOf,
  classNodes,
  facadeOf,
  PART,
  reached,
  sourceNodes,
  staleness,
  type IdentifiersOf,
  type KnownModule,
  type Stale,
} from './known-module.ts';
import { PART_MARK, type ModuleRecord } from './module-record.ts';
import { sealedAbove } from './sealed.ts';
import type { SourceFace } from './source-face.ts';
import { unseenChanges } from './unseen.ts';

export interface PredictInput {
  /** Dependencies first, the app last. */
  readonly modules: readonly KnownModule[];
  /** Resource files that aapt2 compiles, and whether it links. */
  readonly resources: readonly string[];
  readonly linksResources: boolean;
  /** Changed files that are neither code nor resources. */
  readonly otherFiles: readonly string[];
  readonly identifiersOf: IdentifiersOf;
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

/** What a compile does; rather a file too many in `recompileBecause` than one missed. */
export async function predict(input: PredictInput): Promise<Prediction> {
  const modules = input.modules.map(staleness);
  const changed = modules.flatMap(({ kotlin, java }) => [...kotlin.changed, ...java.changed]);
  const sealed = sealedClasses(modules, input);
  const because = await affectedInTurn(
    [...changedClasses(modules, input), ...sealed.classes],
    modules.flatMap(classNodes),
    sourceNodes(modules, input.identifiersOf),
    input.faceOf,
  );
  const add = (more: ReadonlyMap<string, string>): void => {
    for (const [file, reason] of more) if (!because.has(file)) because.set(file, reason);
  };
  add(sealed.files);
  add(kotlinAnew(modules));
  add(inlinedFromElsewhere(modules, input.declarationsOf));
  add(unseenChanges(modules, input.identifiersOf));
  add(notComparedYet(modules, input.identifiersOf));
  add(notToldYet(modules, input.identifiersOf));
  add(otherParts(modules, input.identifiersOf, (file) => because.has(file) || changed.includes(file)));
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
  const classes = kotlin?.classes ?? [];
  const parts = classes.filter(({ name }) => name.includes(PART_MARK));
  const wholes = new Set(parts.map(({ name }) => name.slice(0, name.indexOf(PART_MARK))));
  // The constants are declared in the whole: to the compiler all of them change with any of them.
  const constants = [...parts, ...classes.filter(({ name }) => wholes.has(name))].flatMap(
    (one) => one.constants,
  );
  return [...wholes].map((name): ChangedClass => ({ name, kind: 'changed', constants, spreads: true }));
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
