import type { Snapshot } from '../project/changes.ts';
import type { ScannedFile } from '../project/scan.ts';
import type { Inputs } from './module-record.ts';

/** A module's sources by path with the digests of their content, generated ones among Java's. */
export interface ModuleSources {
  readonly kotlinSources: Inputs;
  readonly javaSources: Inputs;
}

/** The sources of one module as they were listed, in two lists of the same length. */
interface Listed {
  readonly files: ScannedFile[];
  readonly hashes: string[];
}

/**
 * Sorts sources by module. Of a module whose sources are as they were the last time the answer is the same object, which is
 * how the rest of a build sees that there is nothing to look into.
 */
export class SourceMemo {
  readonly #last = new Map<string, { readonly listed: Listed; generated: Inputs; sources: ModuleSources }>();

  byModule(
    from: { readonly files: readonly ScannedFile[]; readonly snapshot: Snapshot },
    generated: ReadonlyMap<string, Inputs>,
  ): Map<string, ModuleSources> {
    const lists = new Map<string, Listed>();
    for (const module of generated.keys()) lists.set(module, { files: [], hashes: [] });
    for (const file of from.files) {
      if (file.kind !== 'java') continue;
      let list = lists.get(file.module);
      if (list === undefined) lists.set(file.module, (list = { files: [], hashes: [] }));
      list.files.push(file);
      list.hashes.push(from.snapshot.get(file.path)?.hash ?? '');
    }
    const all = new Map<string, ModuleSources>();
    for (const [module, listed] of lists) {
      const own = generated.get(module) ?? NONE;
      const last = this.#last.get(module);
      if (last !== undefined && last.generated === own && isSame(last.listed, listed))
        all.set(module, last.sources);
      else {
        const sources = sourcesOf(listed, own);
        this.#last.set(module, { listed, generated: own, sources });
        all.set(module, sources);
      }
    }
    return all;
  }
}

const NONE: Inputs = {};

/** An empty digest means that nobody knows the content: such a list is not even the same as itself. */
function isSame(before: Listed, now: Listed): boolean {
  return (
    before.files.length === now.files.length &&
    now.hashes.every(
      (hash, index) =>
        hash !== '' && hash === before.hashes[index] && now.files[index]?.path === before.files[index]?.path,
    )
  );
}

function sourcesOf({ files, hashes }: Listed, generated: Inputs): ModuleSources {
  const kotlinSources: Record<string, string> = {};
  const javaSources: Record<string, string> = { ...generated };
  for (const [index, { path, type }] of files.entries())
    (type === 'Kotlin' ? kotlinSources : javaSources)[path] = hashes[index] ?? '';
  return { kotlinSources, javaSources };
}
