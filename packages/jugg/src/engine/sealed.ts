import { basename } from 'node:path';
import { simpleName } from './effects.ts';
import { bySourceName, type KotlinRecord } from './module-record.ts';

/**
 * The Kotlin sources that may declare a sealed class above one of the classes of changed or removed sources, with the reason:
 * it lists the classes directly below it, so the compiler takes it along when one comes or goes. Names are looked up in
 * texts: rather a file too many.
 */
export function sealedAbove(
  changed: readonly string[],
  removed: readonly string[],
  {
    kotlinSources,
    record,
  }: { readonly kotlinSources: readonly string[]; readonly record: KotlinRecord | null },
  identifiersOf: (file: string) => ReadonlySet<string>,
): Map<string, string> {
  const found = new Map<string, string>();
  if (changed.length + removed.length === 0) return found;
  const classesByFile = bySourceName(record?.classes ?? []);
  const classesOf = (file: string): KotlinRecord['classes'] => classesByFile.get(basename(file)) ?? [];
  const below = new Map<string, ReadonlySet<string>>();
  for (const file of [...changed, ...removed]) {
    const were = classesOf(file).flatMap(({ superName, interfaces }) =>
      [superName ?? '', ...interfaces].map(simpleName),
    );
    const written = removed.includes(file) ? [] : identifiersOf(file);
    below.set(file, new Set([...were, ...written]));
  }
  for (const file of kotlinSources) {
    if (!identifiersOf(file).has('sealed')) continue;
    const names = classesOf(file).map(({ name }) => simpleName(name));
    const user = [...below].find(([other, above]) => other !== file && names.some((name) => above.has(name)));
    if (user !== undefined) found.set(file, `may declare a sealed class above one of ${basename(user[0])}`);
  }
  return found;
}
