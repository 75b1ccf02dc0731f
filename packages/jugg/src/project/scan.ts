import { readdirSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { ChangeType } from '../engine/types.ts';
import {
  classify,
  isIgnoredDir,
  type ProjectInputs,
  type RootKind,
  type SourceRoot,
} from './source-roots.ts';

/** What the file system tells about a file without reading it; times in ms, with fractions. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

export interface ScannedFile {
  /** Absolute. */
  readonly path: string;
  readonly type: ChangeType;
  readonly kind: RootKind | 'manifest' | 'build';
  /** Module path; empty for build files. */
  readonly module: string;
  /** The root that it lies below; its own folder for manifests and build files. */
  readonly root: string;
  readonly stamp: FileStamp;
}

/** After so many files other work gets a turn: a scan of 8,000 files takes some 50 ms. */
const TURN = 400;

/** A folder as it was last listed. */
interface Listing {
  /** As the system listed them. */
  readonly listed: readonly Dirent[];
  /** Those that matter, by name. */
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly path: string;
  readonly kind: 'folder' | 'file' | 'link';
  readonly name: string;
  /** `null` for what is no input as a file. */
  readonly type: ChangeType | null;
  /** As it was last found. */
  file: ScannedFile | null;
}

const OPTIONS = { throwIfNoEntry: false } as const;

/**
 * Lists every input with its stamp, in the order of the roots and by name. Every folder is listed and every file asked for
 * its stamp each time; what a scanner remembers only saves making the same objects again: a file that is as it was in its last
 * scan is the same object. Synchronous calls, since 5,000 asynchronous ones take three times as long; other work gets
 * turns in between. Links are followed, cycles are not.
 */
export class InputScanner {
  readonly #listings = new Map<string, Map<string, Listing>>();
  readonly #single = new Map<string, ScannedFile>();

  async scan(inputs: ProjectInputs): Promise<ScannedFile[]> {
    const found: ScannedFile[] = [];
    let untilTurn = TURN;
    const visited = new Set<string>();
    const visit = async (dir: string, root: SourceRoot, known: Map<string, Listing>): Promise<void> => {
      for (const entry of listing(dir, root.kind, known)) {
        let stats: Stats | undefined;
        let isFolder = entry.kind === 'folder';
        if (entry.kind === 'link') {
          stats = statOrNothing(entry.path);
          isFolder = stats?.isDirectory() ?? false;
          if (isFolder && (isIgnoredDir(entry.name) || !firstVisit(entry.path, visited))) continue;
        }
        if (isFolder) {
          await visit(entry.path, root, known);
          continue;
        }
        if (entry.type === null) continue;
        stats ??= statOrNothing(entry.path);
        if (stats?.isFile()) {
          entry.file = again(entry.file, stats, root) ?? fresh(entry.path, entry.type, root, stats);
          found.push(entry.file);
        }
        if (--untilTurn === 0) {
          untilTurn = TURN;
          await breathe();
        }
      }
    };
    for (const root of inputs.roots) {
      const key = `${root.kind} ${root.dir}`;
      const known = this.#listings.get(key) ?? new Map<string, Listing>();
      this.#listings.set(key, known);
      await visit(root.dir, root, known);
    }
    const single = (path: string, type: ChangeType, kind: 'manifest' | 'build', module: string): void => {
      const stats = statOrNothing(path);
      if (!stats?.isFile()) return;
      const at = { dir: join(path, '..'), kind, module };
      const file = again(this.#single.get(path) ?? null, stats, at) ?? fresh(path, type, at, stats);
      this.#single.set(path, file);
      found.push(file);
    };
    for (const { file, module } of inputs.manifests) single(file, 'Manifest', 'manifest', module);
    for (const file of inputs.buildFiles) single(file, 'BuildFile', 'build', '');
    return found;
  }
}

type Place = { readonly dir: string; readonly kind: ScannedFile['kind']; readonly module: string };

/** The same object for a file that is as it was. */
function again(file: ScannedFile | null, stats: Stats, { kind, module }: Place): ScannedFile | null {
  if (file === null || file.kind !== kind || file.module !== module) return null;
  const { size, mtimeMs, ctimeMs, ino } = file.stamp;
  const isSame =
    size === stats.size && mtimeMs === stats.mtimeMs && ctimeMs === stats.ctimeMs && ino === stats.ino;
  return isSame ? file : null;
}

function fresh(path: string, type: ChangeType, { dir, kind, module }: Place, stats: Stats): ScannedFile {
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { path, type, kind, module, root: dir, stamp: { size, mtimeMs, ctimeMs, ino } };
}

function listing(dir: string, kind: RootKind, known: Map<string, Listing>): readonly Entry[] {
  let listed: Dirent[];
  try {
    listed = readdirSync(dir, { withFileTypes: true });
  } catch {
    // Not there, or gone while we looked: it holds no inputs.
    known.delete(dir);
    return [];
  }
  const before = known.get(dir);
  if (before !== undefined && isSameListing(before.listed, listed)) return before.entries;
  const entries: Entry[] = [];
  for (const one of listed) {
    const { name } = one;
    const type = classify(kind, name);
    const of = one.isSymbolicLink() ? 'link' : one.isDirectory() ? 'folder' : 'file';
    const matters = of === 'link' || (of === 'folder' ? !isIgnoredDir(name) : type !== null);
    if (matters) entries.push({ path: join(dir, name), kind: of, name, type, file: null });
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  known.set(dir, { listed, entries });
  return entries;
}

function isSameListing(before: readonly Dirent[], now: readonly Dirent[]): boolean {
  return (
    before.length === now.length &&
    before.every((one, index) => {
      const other = now[index];
      return (
        other?.name === one.name &&
        other.isDirectory() === one.isDirectory() &&
        other.isSymbolicLink() === one.isSymbolicLink()
      );
    })
  );
}

function statOrNothing(path: string): Stats | undefined {
  try {
    return statSync(path, OPTIONS);
  } catch {
    return undefined;
  }
}

function firstVisit(link: string, visited: Set<string>): boolean {
  try {
    const real = realpathSync(link);
    if (visited.has(real) || link.startsWith(real + '/')) return false;
    visited.add(real);
    return true;
  } catch {
    return false;
  }
}
