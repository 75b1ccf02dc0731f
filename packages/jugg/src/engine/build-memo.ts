import { digest } from '../project/changes.ts';
import type { ClassInfo } from '../toolchain/types.ts';
import { PlaceMemo } from './stages/class-places.ts';
import { SourceMemo } from './module-sources.ts';
import { seenModule, type Inputs, type ModuleRecord } from './module-record.ts';
import { withNests } from './nests.ts';

/**
 * What one server need not work out again for modules that did not change, so that the cost of a build is that of its change
 * and not that of the project. All of it goes by the identity of records, which are made anew with every change.
 */
export class BuildMemo {
  readonly places = new PlaceMemo();
  readonly sources = new SourceMemo();
  /** The generated sources of all modules, for the linked resources with this key. */
  generated: { readonly key: string; readonly byModule: Map<string, Inputs> } | null = null;
  readonly #faces = new WeakMap<ModuleRecord, string>();
  readonly #classes = new WeakMap<ModuleRecord, readonly ClassInfo[]>();
  readonly #fresh = new Map<string, { readonly record: ModuleRecord; readonly upstream: string }>();

  /** Says that a module's record is up to date with modules of these faces. */
  settled(name: string, record: ModuleRecord, upstream: string): void {
    this.#fresh.set(name, { record, upstream });
  }

  isSettled(name: string, record: ModuleRecord, upstream: string): boolean {
    const known = this.#fresh.get(name);
    return known?.record === record && known.upstream === upstream;
  }

  /** Identity of all that other modules can see of these. */
  facesOf(records: readonly ModuleRecord[]): string {
    return records.map((record) => this.#faceOf(record)).join(' ');
  }

  #faceOf(record: ModuleRecord): string {
    const known = this.#faces.get(record);
    if (known !== undefined) return known;
    const face = digest(JSON.stringify([...seenModule(record)]));
    this.#faces.set(record, face);
    return face;
  }

  /** The classes of a module; those of a nest tell of each other. A nest never reaches beyond its module. */
  classesOf(record: ModuleRecord): readonly ClassInfo[] {
    const known = this.#classes.get(record);
    if (known !== undefined) return known;
    const classes = withNests([...(record.kotlin?.classes ?? []), ...(record.java?.classes ?? [])]);
    this.#classes.set(record, classes);
    return classes;
  }
}
