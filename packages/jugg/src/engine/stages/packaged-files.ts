import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join, relative, sep } from 'node:path';
import { digest, type Snapshot } from '../../project/changes.ts';
import type { ScannedFile } from '../../project/scan.ts';

export interface PackagedFile {
  /** Name in the APK. */
  readonly name: string;
  readonly path: string;
}

const PREFIX = { assets: 'assets/', resources: '', jniLibs: 'lib/' } as const;

/**
 * Assets, Java resources and native libraries as they go into the APK, copied to `dir` by content, so that the APK of a
 * state can still be made when the sources have moved on. `files` come from the weakest to the strongest; what is in
 * `known` is in `dir` already.
 */
export async function packagedFiles(
  { files, snapshot }: { readonly files: readonly ScannedFile[]; readonly snapshot: Snapshot },
  dir: string,
  known: Set<string>,
): Promise<{ readonly files: readonly PackagedFile[]; readonly id: string }> {
  const byName = new Map<string, string>();
  const lines = new Map<string, string>();
  for (const file of files) {
    if (file.kind !== 'assets' && file.kind !== 'resources' && file.kind !== 'jniLibs') continue;
    const name = PREFIX[file.kind] + relative(file.root, file.path).split(sep).join('/');
    const place = (hash: string): string => join(dir, hash.slice(0, 2), hash);
    let hash = snapshot.get(file.path)?.hash ?? '';
    if (hash === '' || !known.has(place(hash))) {
      const content = await readFile(file.path).catch(() => null);
      // Gone since it was listed: the next compile sees that too.
      if (content === null) continue;
      hash = digest(content);
      await keep(content, place(hash));
      known.add(place(hash));
    }
    byName.set(name, place(hash));
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
