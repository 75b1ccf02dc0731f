import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../shared/files.ts';
import type { Runtime } from './runtime.ts';

const KEEP_DAYS = 7;
const KEEP_BYTES = 500 * 1024 * 1024;

/** Writes a file for one call; the absolute path. `name` ends the file's name: `layout.html`. */
export async function writeArtifact(
  runtime: Pick<Runtime, 'dirs' | 'now'>,
  name: string,
  content: string | Uint8Array,
): Promise<string> {
  const stamp = runtime.now().toISOString().replaceAll(/[:.]/g, '-');
  const path = join(runtime.dirs.artifacts, `${stamp}-${randomBytes(2).toString('hex')}-${name}`);
  await writeFileAtomic(path, content);
  return path;
}

/** Removes artifacts older than 7 days, then the oldest beyond 500 MB (contract §2). */
export async function pruneArtifacts(dir: string, now: Date): Promise<void> {
  const names = await readdir(dir).catch(() => []);
  const files = [];
  for (const name of names) {
    const path = join(dir, name);
    const info = await stat(path).catch(() => undefined);
    if (info?.isFile()) files.push({ path, size: info.size, mtimeMs: info.mtimeMs });
  }
  files.sort((a, b) => b.mtimeMs - a.mtimeMs);
  let kept = 0;
  for (const file of files) {
    kept += file.size;
    const tooOld = now.getTime() - file.mtimeMs > KEEP_DAYS * 24 * 3600_000;
    if (tooOld || kept > KEEP_BYTES) await rm(file.path, { force: true });
  }
}
