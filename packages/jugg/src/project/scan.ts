import { readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { ChangeType } from '../engine/types.ts';
import { classify, isIgnoredDir, type ProjectInputs, type RootKind } from './source-roots.ts';

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

/** After so many files other work gets a turn: a scan of 5,000 files takes some 40 ms. */
const TURN = 400;

/**
 * Lists every input with its stamp, in the order of the roots and by name. Synchronous calls, since 5,000 asynchronous
 * ones take three times as long; other work gets turns in between. Links are followed, cycles are not.
 */
export async function scanInputs(inputs: ProjectInputs): Promise<ScannedFile[]> {
  const found: ScannedFile[] = [];
  let untilTurn = TURN;
  const visited = new Set<string>();

  const visit = async (
    dir: string,
    add: (path: string, name: string, stamp: Stats) => void,
  ): Promise<void> => {
    for (const entry of list(dir)) {
      const path = join(dir, entry.name);
      let isDirectory = entry.isDirectory();
      let stats: Stats | undefined;
      if (entry.isSymbolicLink()) {
        stats = statOrNothing(path);
        isDirectory = stats?.isDirectory() ?? false;
        if (isDirectory && !firstVisit(path, visited)) continue;
      }
      if (isDirectory) {
        if (!isIgnoredDir(entry.name)) await visit(path, add);
        continue;
      }
      stats ??= statOrNothing(path);
      if (stats?.isFile()) add(path, entry.name, stats);
      if (--untilTurn === 0) {
        untilTurn = TURN;
        await breathe();
      }
    }
  };

  for (const { dir, kind, module } of inputs.roots) {
    await visit(dir, (path, name, stats) => {
      const type = classify(kind, name);
      if (type !== null) found.push({ path, type, kind, module, root: dir, stamp: stampOf(stats) });
    });
  }
  const single = (path: string, type: ChangeType, kind: 'manifest' | 'build', module: string): void => {
    const stats = statOrNothing(path);
    if (stats?.isFile())
      found.push({ path, type, kind, module, root: join(path, '..'), stamp: stampOf(stats) });
  };
  for (const { file, module } of inputs.manifests) single(file, 'Manifest', 'manifest', module);
  for (const file of inputs.buildFiles) single(file, 'BuildFile', 'build', '');
  return found;
}

function list(dir: string): { name: string; isDirectory(): boolean; isSymbolicLink(): boolean }[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Not there, or gone while we looked: it holds no inputs.
    return [];
  }
}

function statOrNothing(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
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

function stampOf(stats: Stats): FileStamp {
  return { size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, ino: stats.ino };
}
