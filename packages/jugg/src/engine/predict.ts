import { basename } from 'node:path';
import type { ScannedFile } from '../project/scan.ts';
import type { ClassInfo } from '../toolchain/types.ts';
import { affectedSources, type ChangedClass, type SourceNode } from './effects.ts';
import type { ModuleRecord } from './module-record.ts';
import type { Plan } from './plan.ts';
import type { ChangeSet } from './types.ts';

/** What is known of one module when nothing is compiled. */
export interface KnownModule {
  readonly name: string;
  readonly namespace: string | null;
  readonly record: ModuleRecord;
}

export interface PredictInput {
  readonly plan: Plan;
  /** Dependencies first, the app last. */
  readonly modules: readonly KnownModule[];
  readonly files: readonly ScannedFile[];
  readonly changes: ChangeSet;
  /** Modules in whose resources a name came or went: their R classes change then. */
  readonly namesChanged: ReadonlySet<string>;
  /** Every identifier in the text of a source. */
  readonly identifiersOf: (file: string) => ReadonlySet<string>;
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

/** What a compile by this plan does; rather a file too many in `recompileBecause` than one missed. */
export function predict(input: PredictInput): Prediction {
  const { plan, files, changes } = input;
  if (plan.kind === 'none' || plan.kind === 'gradle') return { stages: [], files: [], recompileBecause: [] };
  if (plan.kind === 'full') {
    const compiled = files.filter(({ kind }) => kind === 'java' || kind === 'res').map(({ path }) => path);
    return { stages: fullStages(input), files: compiled, recompileBecause: [] };
  }
  const changed = new Set(changes.changed.map(({ file }) => file));
  const because = affectedSources(changedClasses(input), allClasses(input), sourceNodes(input));
  for (const [file, reason] of kotlinAnew(input)) if (!because.has(file)) because.set(file, reason);
  const again = [...because]
    .filter(([file]) => !changed.has(file))
    .map(([file, reason]) => ({ file, because: reason }));
  return {
    stages: incrementalStages(input, new Set(again.map(({ file }) => file))),
    files: [...changed],
    recompileBecause: again,
  };
}

function fullStages({ modules, files }: PredictInput): string[] {
  const stages = ['Resources'];
  for (const { name } of modules) {
    if (files.some(({ module, type }) => module === name && type === 'Kotlin')) stages.push(`Kotlin ${name}`);
    stages.push(`Java ${name}`);
  }
  return [...stages, 'Dex', 'Dex of libraries'];
}

function incrementalStages(
  { modules, files, changes, namesChanged }: PredictInput,
  again: ReadonlySet<string>,
): string[] {
  const all = [...changes.changed, ...changes.deleted];
  const moduleOf = new Map(files.map(({ path, module }) => [path, module]));
  const stages: string[] = [];
  if (all.some(({ type }) => type === 'Resource' || type === 'Manifest')) stages.push('Resources');
  const isCode = all.some(({ type }) => type === 'Kotlin' || type === 'Java') || namesChanged.size > 0;
  for (const { name, record } of modules) {
    const own = all.filter(({ file }) => (moduleOf.get(file) ?? moduleOfDeleted(modules, file)) === name);
    const may = [...again].some((file) => moduleOf.get(file) === name);
    const hasKotlin = (record.kotlin?.classes.length ?? 0) > 0;
    if (own.some(({ type }) => type === 'Kotlin')) stages.push(`Kotlin ${name}`);
    else if (hasKotlin && isCode && (own.length > 0 || may || namesChanged.size > 0))
      stages.push(`Kotlin ${name}${IF_NEEDED}`);
    if (own.some(({ type }) => type === 'Java') || namesChanged.has(name)) stages.push(`Java ${name}`);
    else if (isCode && (own.length > 0 || may || namesChanged.size > 0))
      stages.push(`Java ${name}${IF_NEEDED}`);
  }
  if (isCode) stages.push(`Dex${IF_NEEDED}`);
  return [...stages, 'Dex of libraries'];
}

/** The Kotlin compiler starts a module over when a Java source of it goes: it does not know what depended on it. */
function kotlinAnew({ modules, files, changes }: PredictInput): Map<string, string> {
  const found = new Map<string, string>();
  for (const { file, type } of changes.deleted) {
    if (type !== 'Java') continue;
    const owner = moduleOfDeleted(modules, file);
    for (const { path, module, type: kind } of files) {
      if (module === owner && kind === 'Kotlin') found.set(path, `${basename(file)} of its module is gone`);
    }
  }
  return found;
}

function moduleOfDeleted(modules: readonly KnownModule[], file: string): string | undefined {
  return modules.find(
    ({ record }) => file in (record.kotlin?.inputs ?? {}) || file in (record.java?.inputs ?? {}),
  )?.name;
}

function allClasses({ modules }: PredictInput): ClassInfo[] {
  return modules.flatMap(({ record }) => [
    ...(record.kotlin?.classes ?? []),
    ...(record.java?.classes ?? []),
  ]);
}

/** The classes of the changed and deleted sources, as if each had got another face. */
function changedClasses({ modules, changes, namesChanged }: PredictInput): ChangedClass[] {
  const found: ChangedClass[] = [];
  const gone = new Set(changes.deleted.map(({ file }) => file));
  for (const { file } of [...changes.changed, ...changes.deleted]) {
    if (!/\.(?:kt|java)$/.test(file)) continue;
    const known = modules.flatMap(({ record }) => classesOf(record, file));
    for (const { name, constants } of known) {
      found.push({ name, kind: gone.has(file) ? 'removed' : 'changed', constants, spreads: true });
    }
    // A new file: its class is called like it, and may take the place of another of that simple name.
    if (known.length === 0) {
      found.push({ name: basename(file).replace(/\.\w+$/, ''), kind: 'added', constants: [], spreads: true });
    }
  }
  if (namesChanged.size > 0) {
    for (const { record } of modules) {
      for (const { name, constants } of record.java?.classes ?? []) {
        if (/(?:^|\.)R(?:\$\w+)?$/.test(name))
          found.push({ name, kind: 'changed', constants, spreads: false });
      }
    }
  }
  return found;
}

function sourceNodes({ modules, files, identifiersOf }: PredictInput): SourceNode[] {
  const records = new Map(modules.map(({ name, record }) => [name, record]));
  const nodes: SourceNode[] = [];
  for (const { path, kind, module } of files) {
    const record = kind === 'java' ? records.get(module) : undefined;
    if (record === undefined) continue;
    // The class of the file's own name first: its reason says the most.
    const classes = classesOf(record, path)
      .map(({ name }) => name)
      .sort((a, b) => a.length - b.length);
    nodes.push({ file: path, classes, identifiers: identifiersOf(path) });
  }
  return nodes;
}

/** By the name of the source file, which is all that a class file tells; two of one name count for both. */
function classesOf({ kotlin, java }: ModuleRecord, file: string): ClassInfo[] {
  const name = basename(file);
  const stage = name.endsWith('.kt') ? kotlin : java;
  if (stage === null || !(file in stage.inputs)) return [];
  return stage.classes.filter(({ sourceFile }) => sourceFile === name);
}
