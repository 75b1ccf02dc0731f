import { join } from 'node:path';
import { digest } from '../../project/changes.ts';
import type { ClassInfo } from '../../toolchain/types.ts';
import { contentOf, sumOf } from '../build-state.ts';
import type { ClassState } from '../types.ts';

/** Below this level default methods of interfaces are copied into the classes that implement them. */
export const DEFAULT_METHODS = 24;

/** The classes of one module with the places of their dex files. */
export interface PlacedClasses {
  readonly infos: readonly ClassInfo[];
  /** In the order of `infos`. */
  readonly entries: readonly (readonly [name: string, state: ClassState])[];
  /** See `buildState`. */
  readonly content: bigint;
}

interface PlacedClass {
  readonly entry: PlacedClasses['entries'][number];
  readonly content: bigint;
}

/** Places of classes by identity, where they depend on nothing but the class and the tools. */
export class PlaceMemo {
  lists = new WeakMap<readonly ClassInfo[], PlacedClasses>();
  classes = new WeakMap<ClassInfo, PlacedClass>();
  #tools = '';

  /** Forgets what was placed for other tools. */
  use(tools: string): void {
    if (this.#tools === tools) return;
    this.#tools = tools;
    this.lists = new WeakMap();
    this.classes = new WeakMap();
  }
}

/**
 * Says where the dex file of each class is, or will be: by the content that it is made from. Lists that are as they were are
 * not gone through again.
 */
export function placeClasses(
  lists: readonly (readonly ClassInfo[])[],
  input: { readonly dexId: string; readonly minApi: number; readonly dir: string },
  memo: PlaceMemo,
): PlacedClasses[] {
  const { dexId, minApi } = input;
  if (minApi < DEFAULT_METHODS) {
    const all = lists.flat();
    const byName = new Map(all.map((info) => [info.name, info]));
    const sets = classSets(all);
    return lists.map((infos) =>
      together(infos, (info) => place(info, neighbours(info, byName, sets), input)),
    );
  }
  memo.use(`${dexId} ${minApi}`);
  return lists.map((infos) => {
    const known = memo.lists.get(infos);
    if (known !== undefined) return known;
    const placed = together(infos, (info) => {
      const one = memo.classes.get(info) ?? place(info, [], input);
      memo.classes.set(info, one);
      return one;
    });
    memo.lists.set(infos, placed);
    return placed;
  });
}

function place(
  info: ClassInfo,
  context: readonly string[],
  { dexId, minApi, dir }: { readonly dexId: string; readonly minApi: number; readonly dir: string },
): PlacedClass {
  const { name, bytes, shape } = info;
  const file = digest([dexId, minApi, bytes, ...context].join(' '));
  const dex = join(dir, file.slice(0, 2), `${file}.dex`);
  return { entry: [name, { bytes, shape, dex }], content: contentOf(name, bytes) };
}

function together(infos: readonly ClassInfo[], placeOf: (info: ClassInfo) => PlacedClass): PlacedClasses {
  const placed = infos.map(placeOf);
  return {
    infos,
    entries: placed.map(({ entry }) => entry),
    content: sumOf(placed.map(({ content }) => content)),
  };
}

/** The classes of each source class: it with all that are nested in it. */
export function classSets(classes: readonly ClassInfo[]): Map<string, ClassInfo[]> {
  const sets = new Map<string, ClassInfo[]>();
  for (const info of classes) {
    const set = sets.get(outermost(info));
    if (set) set.push(info);
    else sets.set(outermost(info), [info]);
  }
  return sets;
}

function outermost({ name }: ClassInfo): string {
  return name.split('$')[0] ?? name;
}

export function matesOf(
  info: ClassInfo,
  sets: ReadonlyMap<string, readonly ClassInfo[]> | null,
): readonly ClassInfo[] {
  return sets?.get(outermost(info)) ?? [];
}

/** Content of everything that the dex code of a class depends on where default methods are moved to classes of their own. */
function neighbours(
  info: ClassInfo,
  byName: ReadonlyMap<string, ClassInfo>,
  sets: ReadonlyMap<string, readonly ClassInfo[]>,
): string[] {
  // An anonymous class says which method it stands in, and that may be one that has moved.
  const mates = matesOf(info, sets).map(({ name, bytes }) => `${name}=${bytes}`);
  return [...ancestorDigests(info, byName), ...mates.sort()];
}

/** Content of everything that a class inherits from within the app. */
function ancestorDigests(info: ClassInfo, byName: ReadonlyMap<string, ClassInfo>): string[] {
  const found = new Map<string, string>();
  const visit = (from: ClassInfo): void => {
    for (const name of [...from.interfaces, ...(from.superName === null ? [] : [from.superName])]) {
      const ancestor = byName.get(name);
      if (ancestor === undefined || found.has(name)) continue;
      found.set(name, ancestor.bytes);
      visit(ancestor);
    }
  };
  visit(info);
  return [...found].map(([name, bytes]) => `${name}=${bytes}`).sort();
}
