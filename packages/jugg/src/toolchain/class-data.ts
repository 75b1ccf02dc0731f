import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AOT_CACHE } from './host-flags.ts';
import type { Jdk } from './jdk.ts';

/** What the JVM prints when an archive does not go with its class path or version. */
export const CLASS_DATA_COMPLAINT = /\[warning\]\[(?:cds|aot\] (?!Skipping))/;

/**
 * The class-data archive of the compile host: loaded classes in the form that the JVM maps into memory, which takes about
 * a second off the first compiles after a start.
 */
export interface ClassData {
  readonly path: string;
  readonly exists: boolean;
}

/**
 * An archive belongs to one JVM and to the exact jars of one class path: the JVM drops it silently when any of them
 * has another time stamp, so these are part of its name.
 */
export async function classDataOf(
  folder: string,
  jdk: Jdk,
  classPath: readonly string[],
): Promise<ClassData> {
  const key = createHash('sha256');
  for (const file of [jdk.java, ...classPath]) {
    const found = await stat(file).catch(() => null);
    key.update(`${file} ${found?.size} ${found?.mtimeMs}\n`);
  }
  const extension = jdk.version >= AOT_CACHE ? 'aot' : 'jsa';
  const path = join(folder, `compile-host-${key.digest('hex').slice(0, 16)}.${extension}`);
  const found = await stat(path).catch(() => null);
  return { path, exists: found !== null && found.size > 0 };
}

/**
 * Makes the archive: `train` runs a JVM that writes it to the given path when it ends, and answers whether it ended well.
 * Archives of older jars are removed.
 */
export async function makeClassData(
  archive: ClassData,
  folder: string,
  train: (part: string) => Promise<boolean>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const part = `${archive.path}.${randomUUID()}.part`;
  try {
    const well = await train(part);
    const made = await stat(part).catch(() => null);
    if (!well || made === null || made.size === 0) return;
    for (const name of await readdir(folder)) {
      // On Windows one that is still mapped stays until the next time.
      if (/\.(?:jsa|aot)$/.test(name)) await rm(join(folder, name), { force: true }).catch(() => {});
    }
    await rename(part, archive.path);
  } finally {
    await rm(part, { force: true });
  }
}
