import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digest } from '../../project/changes.ts';
import { ok, type Result } from '../../shared/outcome.ts';
import type { WorkContext } from '../../shared/progress.ts';
import type { CompileHost } from '../../toolchain/types.ts';
import type { BuildState } from '../types.ts';

/** Below so many classes one dex file holds them all: to merge them takes less than a second. */
const ONE_BUCKET = 2000;

/** As many dex files as the Android plug-in's debug builds have at most, some more or less. */
const BUCKETS = 16;

/** Results that no APK of late was made of are kept for going back to, so many for each bucket. */
const KEPT_EACH = 4;

/**
 * The project's classes as dex files for an APK. Those of a large project go to several ones, by their package, as in the
 * Android plug-in's own debug builds; each is kept in `dir` by what it was made of, so that an edit merges one of them.
 */
export async function mergedDex(
  state: BuildState,
  dir: string,
  host: CompileHost,
  work: WorkContext,
  oneBucket = ONE_BUCKET,
): Promise<Result<readonly string[]>> {
  const dexFiles: string[] = [];
  const used = new Set<string>();
  for (const bucket of await bucketsOf(state, oneBucket)) {
    const key = digest([state.minSdk, ...bucket].join('\n')).slice(0, 32);
    const made = join(dir, key);
    used.add(key);
    if (!(await touch(made))) {
      const merged = await merge(bucket, made, state.minSdk, host, work);
      if (!merged.ok) return merged;
    }
    dexFiles.push(...(await inOrder(made)));
  }
  await pruneOthers(dir, used);
  return ok(dexFiles);
}

/** Paths of dex files, sorted, by bucket. What D8 makes once for a whole app (for records, say) must be in one dex file. */
async function bucketsOf(
  { classes }: BuildState,
  oneBucket: number,
): Promise<readonly (readonly string[])[]> {
  const sorted = [...classes].sort(([a], [b]) => (a < b ? -1 : 1));
  if (sorted.length < oneBucket) return [sorted.map(([, { dex }]) => dex)];
  const folders = new Map<string, ReadonlySet<string>>();
  const buckets = Array.from({ length: BUCKETS + 1 }, (): string[] => []);
  for (const [name, { dex }] of sorted) {
    const folder = dirname(dex);
    let names = folders.get(folder);
    if (names === undefined) folders.set(folder, (names = new Set(await readdir(folder))));
    const isShared = names.has(dex.slice(folder.length + 1).replace(/\.dex$/, '.globals'));
    const packageName = name.slice(0, Math.max(name.lastIndexOf('.'), 0));
    const number = isShared ? BUCKETS : Number.parseInt(digest(packageName).slice(0, 8), 16) % BUCKETS;
    buckets[number]?.push(dex);
  }
  return buckets.filter((bucket) => bucket.length > 0);
}

async function merge(
  dexFiles: readonly string[],
  target: string,
  minApi: number,
  host: CompileHost,
  work: WorkContext,
): Promise<Result<void>> {
  const fresh = `${target}.${randomUUID()}`;
  try {
    await mkdir(dirname(target), { recursive: true });
    const merged = await host.mergeDex({ dexFiles, minApi, outputDir: fresh }, work);
    if (!merged.ok) return merged;
    try {
      await rename(fresh, target);
    } catch (error) {
      // Two devices may want the same at the same time; the same class files make the same dex files.
      if ((await readdir(target).catch(() => [])).length === 0) throw error;
    }
    return ok(undefined);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** `classes.dex`, `classes2.dex`, … of a folder. */
async function inOrder(dir: string): Promise<string[]> {
  const numberOf = (name: string): number => Number(/^classes(\d*)\.dex$/.exec(name)?.[1] || 1);
  const names = (await readdir(dir)).filter((name) => name.endsWith('.dex'));
  return names.sort((a, b) => numberOf(a) - numberOf(b)).map((name) => join(dir, name));
}

/** Marks a file or folder as used just now; false when there is none. */
export async function touch(path: string): Promise<boolean> {
  const now = new Date();
  return utimes(path, now, now).then(
    () => true,
    () => false,
  );
}

/** Removes what is not used in a folder, but for what was used of late. */
export async function pruneOthers(dir: string, used: ReadonlySet<string>): Promise<void> {
  const others: { path: string; usedAt: number }[] = [];
  for (const name of await readdir(dir)) {
    const path = join(dir, name);
    if (!used.has(name)) others.push({ path, usedAt: (await stat(path).catch(() => null))?.mtimeMs ?? 0 });
  }
  others.sort((a, b) => b.usedAt - a.usedAt);
  for (const { path } of others.slice(KEPT_EACH * used.size))
    await rm(path, { recursive: true, force: true });
}
