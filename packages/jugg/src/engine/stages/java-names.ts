import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ClassInfo } from '../../toolchain/types.ts';
import type { BuildContext, BuildUnit } from '../build-unit.ts';
import { affectedSources, simpleName, type ChangedClass } from '../effects.ts';
import { namedClasses } from '../java-source.ts';
import { compareInputs, type KotlinRecord } from '../module-record.ts';
import { kotlinNodes } from './kotlin-nodes.ts';

/**
 * The Kotlin sources that write the name of a Java class of their own module that comes or goes. The incremental compiler
 * (2.4.21) does not note the use of a nested class that is written with its package, such as `com.example.R.color`, so that
 * it has to be told. By the text of the Java sources, as javac may not have accepted them.
 */
export async function reachedByNames(
  unit: BuildUnit,
  context: BuildContext,
  before: KotlinRecord,
  javaClasses: readonly ClassInfo[],
): Promise<string[]> {
  const { changed, removed } = compareInputs(before.java, unit.javaSources);
  if (changed.length + removed.length === 0) return [];
  const sourceOf = new Map(javaClasses.map(({ name, sourceFile }) => [name, sourceFile]));
  const known = new Map<string, string[]>();
  for (const name of Object.keys(before.javaAbi)) {
    const file = sourceOf.get(name) ?? ownFile(name);
    known.set(file, [...(known.get(file) ?? []), name]);
  }
  const news: ChangedClass[] = [];
  for (const file of [...changed, ...removed]) {
    const text = removed.includes(file) ? '' : await readFile(file, 'utf8').catch(() => '');
    const declared = namedClasses(text);
    const classes = known.get(basename(file)) ?? [];
    for (const name of classes) {
      if (!declared.has(simpleName(name))) news.push(comesOrGoes(name, 'removed'));
    }
    const names = new Set(classes.map(simpleName));
    for (const name of declared) if (!names.has(name)) news.push(comesOrGoes(name, 'added'));
  }
  if (news.length === 0) return [];
  const sources = await kotlinNodes(unit, context, before);
  return [...affectedSources(news, [], sources).keys()];
}

/** Where javac expects a class: in the file that is called like the outermost one. */
function ownFile(name: string): string {
  return `${name.slice(name.lastIndexOf('.') + 1).replace(/\$.*/, '')}.java`;
}

function comesOrGoes(name: string, kind: 'added' | 'removed'): ChangedClass {
  return { name, kind, constants: [], spreads: false };
}
