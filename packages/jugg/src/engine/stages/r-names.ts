import { digest } from '../../project/changes.ts';
import type { ModuleModel } from '../../project/model.ts';
import { rName } from './resource-symbols.ts';

/**
 * The symbols (`type/name`, in R's spelling) of each module's R class, by module: those its own resource files declare, and with transitive R
 * classes also those of the modules it depends on. `modules` has dependencies first.
 */
export function ownedNames(
  modules: readonly ModuleModel[],
  files: Iterable<{ readonly module: string; readonly symbols: readonly string[] }>,
  nonTransitive: boolean,
): Map<string, Set<string>> {
  const owned = new Map<string, Set<string>>(modules.map(({ name }) => [name, new Set()]));
  for (const { module, symbols } of files)
    for (const symbol of symbols) owned.get(module)?.add(rName(symbol));
  if (nonTransitive) return owned;
  for (const module of modules) {
    for (const { kind, target } of module.dependencies) {
      if (kind !== 'project') continue;
      for (const symbol of owned.get(target) ?? []) owned.get(module.name)?.add(symbol);
    }
  }
  return owned;
}

/** Tells whether two R classes have the same names; their ids stay what they are. */
export function digestOfNames(names: ReadonlySet<string>): string {
  return names.size === 0 ? '' : digest([...names].sort().join('\n'));
}

/** The symbols that a generated R class has, as `ownedNames` spells them. */
export function namesInRClass(source: string): Set<string> {
  const names = new Set<string>();
  for (const [, type = '', members = ''] of source.matchAll(
    /static final class (\w+) \{ private \w+\(\) \{\} (.*) \}$/gm,
  )) {
    for (const [, javaType, name = ''] of members.matchAll(/static (?:final )?(int|int\[\]) (\S+) = /g)) {
      // The indexes of a styleable belong to its array.
      if (type !== 'styleable' || javaType === 'int[]') names.add(`${type}/${name}`);
    }
  }
  return names;
}
