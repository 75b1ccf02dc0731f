import { affectedSources, changedFaces, type ChangedClass } from './effects.ts';
import {
  allClasses,
  classNodes,
  reached,
  sourceNodes,
  type IdentifiersOf,
  type Stale,
} from './known-module.ts';
import { seenKotlin, seenModule, type SeenClass } from './module-record.ts';

/**
 * The sources that classes of other modules matter to which changed before: a build that failed has compiled those modules,
 * and not the one of these sources.
 */
export function unseenChanges(
  modules: readonly Stale[],
  identifiersOf: IdentifiersOf,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const stale = reached(modules);
  for (const module of modules) {
    if (!stale.has(module.name)) continue;
    const upstream = modules.filter(({ name }) => module.upstream.has(name));
    const now = new Map(upstream.flatMap(({ record }) => [...seenModule(record)]));
    const nodes = [...classNodes(module), ...upstream.flatMap(allClasses)];
    const add = (changed: readonly ChangedClass[], sources: Stale): void => {
      for (const file of affectedSources(changed, nodes, sourceNodes([sources], identifiersOf)).keys())
        found.set(file, 'may use a class that changed in a build that failed');
    };
    const { kotlin, java } = module.record;
    if (kotlin) add(otherToCopy(kotlin.seen, now), { ...module, javaSources: {} });
    if (java) {
      for (const info of kotlin?.classes ?? [])
        now.set(info.name, seenKotlin(info, kotlin?.inlineSources ?? []));
      add(changedFaces(new Map(Object.entries(java.seen)), now), { ...module, kotlinSources: {} });
    }
  }
  return found;
}

/** As `changedFaces`, and with code that a Kotlin compiler may copy. */
function otherToCopy(
  seen: Readonly<Record<string, SeenClass>>,
  now: ReadonlyMap<string, SeenClass>,
): ChangedClass[] {
  const changed: ChangedClass[] = [];
  for (const [name, { copied, constants }] of now) {
    const before = seen[name];
    if (before?.copied === copied) continue;
    const kind = before ? 'changed' : 'added';
    changed.push({ name, kind, constants: [...(before?.constants ?? []), ...constants], spreads: true });
  }
  for (const [name, { constants }] of Object.entries(seen))
    if (!now.has(name)) changed.push({ name, kind: 'removed', constants, spreads: true });
  return changed;
}
