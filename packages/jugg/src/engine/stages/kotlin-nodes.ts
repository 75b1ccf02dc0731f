import { basename } from 'node:path';
import type { BuildContext, BuildUnit } from '../build-unit.ts';
import type { SourceNode } from '../effects.ts';
import { bySourceName, type KotlinRecord } from '../module-record.ts';

/** The Kotlin sources of a module, with the classes that they were last compiled to. */
export async function kotlinNodes(
  { kotlinSources }: BuildUnit,
  { javaSources }: BuildContext,
  { classes }: KotlinRecord,
): Promise<SourceNode[]> {
  const nodes: SourceNode[] = [];
  const classesByFile = bySourceName(classes);
  for (const [file, hash] of Object.entries(kotlinSources)) {
    const { identifiers } = await javaSources.read(file, hash);
    const names = (classesByFile.get(basename(file)) ?? []).map(({ name }) => name);
    nodes.push({ file, identifiers, classes: names });
  }
  return nodes;
}
