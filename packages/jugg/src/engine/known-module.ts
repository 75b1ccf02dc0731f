import { basename } from 'node:path';
import type { ClassInfo } from '../toolchain/types.ts';
import type { ClassNode, SourceNode } from './effects.ts';
import { bySourceName, compareInputs, type Inputs, type ModuleRecord } from './module-record.ts';

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

/** Every identifier in the text of a source. */
export type IdentifiersOf = (file: string) => ReadonlySet<string>;

/** A module with what of its sources is not as its outputs were made from. */
export interface Stale extends KnownModule {
  readonly kotlin: { readonly changed: readonly string[]; readonly removed: readonly string[] };
  readonly java: { readonly changed: readonly string[]; readonly removed: readonly string[] };
  readonly isStale: boolean;
}

/** By the records of the outputs, which a failed compile may have brought up to date in part. */
export function staleness(module: KnownModule): Stale {
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

/** The modules that are stale, and those that have one of these among their upstream: modules pass on what reaches them. */
export function reached(modules: readonly Stale[]): Set<string> {
  const stale = new Set(modules.filter(({ isStale }) => isStale).map(({ name }) => name));
  for (const { name, upstream } of modules) if ([...upstream].some((one) => stale.has(one))) stale.add(name);
  return stale;
}

/** The annotation of a file that is a part of a class; the classes of parts are called `Whole__Part`. */
export const PART = 'JvmMultifileClass';

/** Kotlin's class for what a file declares outside of classes. */
export function facadeOf(file: string): string {
  const name = basename(file, '.kt');
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Kt`;
}

export function allClasses({ record }: KnownModule): ClassInfo[] {
  return [...(record.kotlin?.classes ?? []), ...(record.java?.classes ?? [])];
}

/** The classes of a module, and those that its Kotlin compiler takes to be there still (`KotlinRecord.gone`). */
export function classNodes(module: KnownModule): (ClassNode & { readonly constants: readonly string[] })[] {
  const gone = module.record.kotlin?.gone ?? [];
  const nodes = gone.map(({ name, above }) => {
    return { name, superName: null, interfaces: above, references: [], shown: [], constants: [] };
  });
  return [...allClasses(module), ...nodes];
}

export function sourceNodes(modules: readonly Stale[], identifiersOf: IdentifiersOf): SourceNode[] {
  return modules.flatMap(({ record, kotlinSources, javaSources }) =>
    Object.keys({ ...kotlinSources, ...javaSources }).map((file) => {
      // The class of the file's own name first: its reason says the most.
      const gone = (record.kotlin?.gone ?? []).filter(({ sourceFile }) => sourceFile === basename(file));
      const classes = [...classesOf(record, file), ...gone]
        .map(({ name }) => name)
        .sort((a, b) => a.length - b.length);
      return { file, classes, identifiers: identifiersOf(file) };
    }),
  );
}

/** Two files of one name count for the classes of both. */
export function classesOf({ kotlin, java }: ModuleRecord, file: string): readonly ClassInfo[] {
  const name = basename(file);
  const stage = name.endsWith('.kt') ? kotlin : java;
  if (stage === null || !(file in stage.inputs)) return [];
  return bySourceName(stage.classes).get(name) ?? [];
}
