import { basename } from 'node:path';
import type { ClassInfo } from '../../toolchain/types.ts';
import type { BuildContext, BuildUnit } from '../build-unit.ts';
import { affectedSources, changedFaces, isAnnotation, type ChangedClass } from '../effects.ts';
import { compareInputs, type KotlinRecord } from '../module-record.ts';
import { kotlinNodes } from './kotlin-nodes.ts';

/**
 * The Kotlin sources that a changed annotation reaches through others: a class that implements an interface has copies of its
 * methods, with their annotations, which are in class files or not as the annotation's retention says. The incremental compiler
 * (2.4.21) compiles who writes the annotation, and finds nothing new in what it sees of the interface.
 */
export async function reachedByAnnotations(
  unit: BuildUnit,
  context: BuildContext,
  before: KotlinRecord,
  javaClasses: readonly ClassInfo[],
): Promise<string[]> {
  const own = [...before.classes, ...javaClasses];
  const changed = [...upstreamAnnotations(unit, before), ...editedAnnotations(unit, before, own)];
  if (changed.length === 0) return [];
  const sources = await kotlinNodes(unit, context, before);
  return [...affectedSources(changed, [...own, ...unit.upstreamNodes], sources).keys()];
}

function upstreamAnnotations({ upstream, upstreamNodes }: BuildUnit, { seen }: KotlinRecord): ChangedClass[] {
  const changed = changedFaces(new Map(Object.entries(seen)), upstream);
  if (changed.length === 0) return [];
  const annotations = new Set(upstreamNodes.filter(isAnnotation).map(({ name }) => name));
  return changed.filter(({ name }) => annotations.has(name));
}

/** Those of the module itself whose sources were edited. */
function editedAnnotations(unit: BuildUnit, before: KotlinRecord, own: readonly ClassInfo[]): ChangedClass[] {
  const kotlin = compareInputs(before.inputs, unit.kotlinSources);
  const java = compareInputs(before.java, unit.javaSources);
  const edited = [kotlin.changed, kotlin.removed, java.changed, java.removed]
    .flat()
    .map((file) => basename(file));
  if (edited.length === 0) return [];
  const names = new Set(edited);
  return own
    .filter((info) => isAnnotation(info) && names.has(info.sourceFile ?? ''))
    .map(({ name, constants }) => ({ name, kind: 'changed', constants, spreads: true }));
}
