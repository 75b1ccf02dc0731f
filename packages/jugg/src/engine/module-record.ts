import type { ClassInfo } from '../toolchain/types.ts';

/** Content digests of sources by absolute path, as a compiler was last given them. */
export type Inputs = Readonly<Record<string, string>>;

/** A class as its users saw it. */
export interface SeenClass {
  readonly abi: string;
  /** See `ClassInfo.nested`. */
  readonly nested: string;
  /**
   * Digest of all that a Kotlin compiler may copy from it: for Kotlin's classes with inline functions the bodies too, and
   * behind a space the name of their source, which is in the debug information of what was copied.
   */
  readonly copied: string;
  /** Its facades, metadata and inline code hold more than what class files mention by name. */
  readonly isKotlin: boolean;
  readonly constants: readonly string[];
}

/** What the compiler of one language last did in one module. */
export interface StageRecord {
  readonly inputs: Inputs;
  /** The classes that it compiled against, by name: other modules' and, for Java, this module's Kotlin. */
  readonly seen: Readonly<Record<string, SeenClass>>;
  readonly classes: readonly ClassInfo[];
}

export interface JavaRecord extends StageRecord {
  /** `digestOfNames` of what the R class had when it was last compiled; empty without one. */
  readonly resourceNames: string;
}

/**
 * A class within a function that is gone: the incremental compiler (2.4.21) goes on to take it for one below its super types,
 * and compiles its source when one of these changes.
 */
export interface GoneClass {
  readonly name: string;
  readonly sourceFile: string;
  /** Its super types. */
  readonly above: readonly string[];
}

export interface KotlinRecord extends StageRecord {
  /** This module's Java sources as the Kotlin compiler last read them, and the Java classes as they were then. */
  readonly java: Inputs;
  readonly javaAbi: Readonly<Record<string, string>>;
  /**
   * Classes of other modules that the Kotlin compiler will find changed when it next compares its class path: Java's, of whose
   * users it was told meanwhile, and those that mention other nested classes than before, which changes nothing.
   */
  readonly notCompared: readonly string[];
  /** Classes that the compiler's caches still hold though no source has them any more. */
  readonly gone: readonly GoneClass[];
  /** Names (without folder) of sources that the word `inline` occurs in: what they say is copied into their users. */
  readonly inlineSources: readonly string[];
}

/**
 * What lies in a module's output folders. It describes those folders, not the last good state of the app: a compile that
 * fails in one module has perhaps changed another.
 */
export interface ModuleRecord {
  readonly kotlin: KotlinRecord | null;
  readonly java: JavaRecord | null;
}

export const NO_RECORD: ModuleRecord = { kotlin: null, java: null };

/** Java's classes: only what they declare can be copied. */
export function seenJava(info: ClassInfo): SeenClass {
  const { abi, nested, constants } = info;
  return { abi, nested, copied: abi, isKotlin: false, constants };
}

/** Kotlin's classes; `inlineSources` are names of source files with inline code. */
export function seenKotlin(info: ClassInfo, inlineSources: readonly string[]): SeenClass {
  const inlines = info.sourceFile === null || inlineSources.includes(info.sourceFile);
  const { abi, nested, constants } = info;
  return {
    abi,
    nested,
    copied: inlines ? `${info.bytes} ${info.sourceFile ?? ''}` : abi,
    isKotlin: true,
    constants,
  };
}

/** All classes of a module as others see them. */
export function seenModule(record: ModuleRecord): Map<string, SeenClass> {
  const seen = new Map<string, SeenClass>();
  const { kotlin, java } = record;
  for (const info of kotlin?.classes ?? [])
    seen.set(info.name, seenKotlin(info, kotlin?.inlineSources ?? []));
  for (const info of java?.classes ?? []) seen.set(info.name, seenJava(info));
  return seen;
}

/** Paths that are new or have other content (an empty digest is always another), and paths that are gone. */
export function compareInputs(
  before: Inputs,
  after: Inputs,
): { readonly changed: string[]; readonly removed: string[] } {
  // As far as nothing changed they are the same objects: those of 20 modules are thousands of paths.
  if (before === after) return { changed: [], removed: [] };
  return {
    changed: Object.keys(after).filter((path) => before[path] !== after[path] || after[path] === ''),
    removed: Object.keys(before).filter((path) => !(path in after)),
  };
}

/** Between the name of a Kotlin class that is written in several files and that of one of its parts: `Whole__Part`. */
export const PART_MARK = '__';

const indexes = new WeakMap<readonly ClassInfo[], ReadonlyMap<string, readonly ClassInfo[]>>();

/** Classes by the name (without folder) of their source file, which is all that a class file tells of it. */
export function bySourceName(classes: readonly ClassInfo[]): ReadonlyMap<string, readonly ClassInfo[]> {
  const known = indexes.get(classes);
  if (known !== undefined) return known;
  const index = new Map<string, ClassInfo[]>();
  for (const info of classes) {
    if (info.sourceFile === null) continue;
    const list = index.get(info.sourceFile);
    if (list) list.push(info);
    else index.set(info.sourceFile, [info]);
  }
  indexes.set(classes, index);
  return index;
}
