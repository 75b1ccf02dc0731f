import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { systemErrorCode } from '../shared/files.ts';
import type { ChangeSet, ChangeType } from '../engine/types.ts';
import type { FileStamp, ScannedFile } from './scan.ts';

/** One input as it was when it was read. */
export interface Seen extends FileStamp {
  /** SHA-256 (hex) of the content; empty when it may have changed while it was read, and so counts as changed. */
  readonly hash: string;
  readonly type: ChangeType;
  /** False when the file was as young as the reading: a later write could have left the same stamp. */
  readonly settled: boolean;
}

/** Inputs by absolute path. */
export type Snapshot = ReadonlyMap<string, Seen>;

/**
 * Files change within one tick of the file system's clock (10 ms on old kernels, 4 ms on newer ones; 2 s on FAT is not
 * catered for) without a change of their times.
 */
const TICK_MS = 20;

/**
 * The content digests of scanned files. A file whose stamp is that of `known` is not read again: touching costs one read,
 * and is no change. A file that is gone when it is read counts as not there; the
 * system's error goes on for one that cannot be read.
 */
export async function takeSnapshot(
  files: readonly ScannedFile[],
  known: Snapshot,
  now: () => number = Date.now,
): Promise<Map<string, Seen>> {
  const snapshot = new Map<string, Seen>();
  const unread: ScannedFile[] = [];
  for (const file of files) {
    const seen = known.get(file.path);
    if (seen?.settled && sameStamp(seen, file.stamp) && seen.hash !== '') snapshot.set(file.path, seen);
    else {
      // Keeps the order of the scan; filled in below.
      snapshot.set(file.path, { ...file.stamp, hash: '', type: file.type, settled: false });
      unread.push(file);
    }
  }
  const readOne = async (file: ScannedFile): Promise<void> => {
    const readAt = now();
    try {
      const hash = digest(await readFile(file.path));
      const newest = Math.max(file.stamp.mtimeMs, file.stamp.ctimeMs);
      const settled = newest + TICK_MS < readAt;
      snapshot.set(file.path, { ...file.stamp, hash, type: file.type, settled });
    } catch (error) {
      // What is there but cannot be read must not look like a deleted file.
      if (systemErrorCode(error) !== 'ENOENT') throw error;
      snapshot.delete(file.path);
    }
  };
  // A few at a time: thousands of open files at once run into the system's limit.
  const queue = unread.values();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const file of queue) await readOne(file);
    }),
  );
  return snapshot;
}

/** What is different between two snapshots, by content; nothing between one and itself. A renamed file is a deleted and a changed one. */
export function compareSnapshots(before: Snapshot, after: Snapshot): ChangeSet {
  const changed: { file: string; type: ChangeType; modifiedAtMs: number }[] = [];
  const deleted: { file: string; type: ChangeType }[] = [];
  if (before === after) return { changed, deleted };
  for (const [file, seen] of after) {
    const old = before.get(file);
    if (old === undefined || old.hash !== seen.hash || seen.hash === '') {
      changed.push({ file, type: seen.type, modifiedAtMs: Math.round(seen.mtimeMs) });
    }
  }
  for (const [file, seen] of before) if (!after.has(file)) deleted.push({ file, type: seen.type });
  return { changed, deleted };
}

function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino;
}

export function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
