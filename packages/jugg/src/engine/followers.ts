import {
  affectedSources,
  isAnnotation,
  simpleName,
  type ChangedClass,
  type ClassNode,
  type SourceNode,
} from './effects.ts';
import type { SourceFace } from './source-face.ts';

/**
 * As `affectedSources`, but with what may follow: a source that is compiled again may come out with another face though
 * nobody edited it, and then its users are compiled again too. So it is with constants made of changed ones, arguments of
 * annotations, annotations that become visible or stop to be, types that the Kotlin compiler finds, and code that it copies.
 */
export async function affectedInTurn(
  changed: readonly ChangedClass[],
  classes: readonly (ClassNode & { readonly constants: readonly string[] })[],
  sources: readonly SourceNode[],
  faceOf: (file: string) => Promise<SourceFace>,
): Promise<Map<string, string>> {
  const all = [...changed];
  const known = new Set(changed.map(({ name }) => name));
  const constantsOf = new Map(classes.map(({ name, constants }) => [name, constants]));
  for (;;) {
    const because = affectedSources(all, classes, sources);
    const typed = affectedSources(
      all.filter(({ spreads }) => spreads),
      classes,
      sources,
    );
    const copied = copiedNames(all, classes);
    const before = all.length;
    for (const { file, classes: own, identifiers } of sources) {
      const fresh = own.filter((name) => !known.has(name));
      if (fresh.length === 0 || !because.has(file)) continue;
      const { followsTypes, madeOf } = await faceOf(file);
      const follows =
        (followsTypes && typed.has(file)) ||
        intersects(copied.constants, madeOf) ||
        intersects(copied.annotations, identifiers);
      if (!follows) continue;
      for (const name of fresh) {
        known.add(name);
        all.push({ name, kind: 'follows', constants: constantsOf.get(name) ?? [], spreads: true });
      }
    }
    if (all.length === before) return because;
  }
}

function copiedNames(
  changed: readonly ChangedClass[],
  classes: readonly ClassNode[],
): { readonly constants: ReadonlySet<string>; readonly annotations: ReadonlySet<string> } {
  const annotations = new Set(classes.filter(isAnnotation).map(({ name }) => name));
  return {
    constants: new Set(changed.flatMap(({ constants }) => constants)),
    annotations: new Set(
      changed.filter(({ name }) => annotations.has(name)).map(({ name }) => simpleName(name)),
    ),
  };
}

function intersects(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  for (const entry of small) if (large.has(entry)) return true;
  return false;
}
