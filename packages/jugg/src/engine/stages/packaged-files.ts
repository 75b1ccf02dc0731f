import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join, relative, sep } from 'node:path';
import { digest } from '../../project/changes.ts';
import type { ScannedFile } from '../../project/scan.ts';

export interface PackagedFile {
  /** Name in the APK. */
  readonly name: string;
  readonly path: string;
}

const PREFIX = { assets: 'assets/', resources: '', jniLibs: 'lib/' } as const;

/**
 * Assets, Java resources and native libraries as they go into the APK, copied to `dir` by content, so that the APK of a
 * state can still be made when the sources have moved on. `files` come from the weakest to the strongest.
 */
export async function packagedFiles(
  files: readonly ScannedFile[],
  dir: string,
): Promise<{ readonly files: readonly PackagedFile[]; readonly id: string }> {
  const byName = new Map<string, string>();
  const lines = new Map<string, string>();
  for (const file of files) {
    if (file.kind !== 'assets' && file.kind !== 'resources' && file.kind !== 'jniLibs') continue;
    const name = PREFIX[file.kind] + relative(file.root, file.path).split(sep).join('/');
    const content = await readFile(file.path).catch(() => null);
    // Gone since it was listed: the next compile sees that too.
    if (content === null) continue;
    const hash = digest(content);
    const kept = join(dir, hash.slice(0, 2), hash);
    await keep(content, kept);
    byName.set(name, kept);
    lines.set(name, `${name} ${hash}`);
  }
  const sorted = [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    files: sorted.map(([name, path]) => ({ name, path })),
    id: digest([...lines.values()].sort().join('\n')),
  };
}

async function keep(content: Uint8Array, to: string): Promise<void> {
  const there = await stat(to).then(
    () => true,
    () => false,
  );
  if (there) return;
  await mkdir(dirname(to), { recursive: true });
  const part = `${to}.${randomUUID()}`;
  await writeFile(part, content);
  await rename(part, to);
}
