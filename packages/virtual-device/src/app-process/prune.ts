import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Work folders of processes whose daemon was killed. */
export const WORK_DIR_AGE_MS = DAY_MS;
/** Class-data archives of older versions, some 60 MB each; one that is still used is made again. */
export const ARCHIVE_AGE_MS = 14 * DAY_MS;
/** Translated dex files: those of each build of an app, some MB each with its libraries. */
export const DEX_AGE_MS = 14 * DAY_MS;

/** Removes what is in `dir` and has not changed for `ageMs`; a folder that is not there is fine. */
export async function prune(dir: string, ageMs: number, nowMs: number): Promise<void> {
  const names = await readdir(dir).catch(() => []);
  for (const name of names) {
    const path = join(dir, name);
    const changed = await stat(path).catch(() => null);
    if (changed && nowMs - changed.mtimeMs > ageMs) {
      await rm(path, { recursive: true, force: true }).catch(() => {});
    }
  }
}
