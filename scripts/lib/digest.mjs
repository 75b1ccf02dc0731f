import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const SKIPPED = new Set(['target', 'node_modules', 'dist']);

/** SHA-256 over the names and contents of files and folders below `root`; what a build makes is left out. */
export async function digestOf(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) await add(hash, root, path);
  return hash.digest('hex');
}

async function add(hash, root, path) {
  const full = join(root, path);
  const info = await stat(full).catch(() => undefined);
  if (!info) return;
  if (info.isDirectory()) {
    for (const name of (await readdir(full)).sort())
      if (!SKIPPED.has(name)) await add(hash, root, join(path, name));
    return;
  }
  hash.update(`${path.replaceAll('\\', '/')}\0`);
  hash.update(await readFile(full));
}
