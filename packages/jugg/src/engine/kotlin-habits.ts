import { basename } from 'node:path';
import type { ClassInfo } from '../toolchain/types.ts';
import { affectedSources, simpleName, type ChangedClass } from './effects.ts';
import type { Declarations } from './java-source.ts';
import {
  allClasses,
  classesOf,
  facadeOf,
  PART,
  reached,
  sourceNodes,
  type IdentifiersOf,
  type Stale,
} from './known-module.ts';
import { compareInputs, PART_MARK, type SeenClass } from './module-record.ts';

/** What the incremental Kotlin compiler (2.4.21) compiles beside what uses a changed class, each file with the reason. */

/**
 * The Kotlin compiler starts a module over when a Java source of it goes: it does not know what depended on it. One that it has
 * not been told of yet, as a compile failed since, counts too.
 */
export function kotlinAnew(modules: readonly Stale[]): Map<string, string> {
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
export function notComparedYet(modules: readonly Stale[], identifiersOf: IdentifiersOf): Map<string, string> {
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
    const sources = sourceNodes([{ ...module, javaSources: {} }], identifiersOf);
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
export function notToldYet(modules: readonly Stale[], identifiersOf: IdentifiersOf): Map<string, string> {
  const found = new Map<string, string>();
  for (const module of modules) {
    const { kotlin, java } = module.record;
    if (kotlin === null || java === null) continue;
    const changed = compareInputs(kotlin.java, java.inputs)
      .changed.flatMap((file) => classesOf(module.record, file))
      .map(({ name, constants }): ChangedClass => ({ name, kind: 'changed', constants, spreads: true }));
    const sources = sourceNodes([{ ...module, javaSources: {} }], identifiersOf);
    const because = 'may use a Java class that changed since the Kotlin compiler last ran';
    for (const file of affectedSources(changed, allClasses(module), sources).keys()) found.set(file, because);
  }
  return found;
}

/** All Kotlin above a module in which a class with code to copy has moved to a source of another name, see `kotlin.ts`. */
export function inlinedFromElsewhere(
  modules: readonly Stale[],
  declarationsOf: (file: string) => Declarations,
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

/** It also compiles all the parts of a class that is written in several files when it compiles one of them. */
export function otherParts(
  modules: readonly Stale[],
  identifiersOf: IdentifiersOf,
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
