import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Baseline } from '../project/baseline-file.ts';
import { classFileOf } from './class-file.ts';

/** What is not used is kept for so long: going back to an older edit then costs nothing. */
const KEPT_MS = 3 * 24 * 3600 * 1000;

/** Links are large and quickly made: only the newest few stay. */
const KEPT_LINKS = 3;

/** Removes what earlier builds left in a project's store and nothing refers to any more; answers how many files. */
export async function tidyOutputs(root: string, baseline: Baseline, now: number): Promise<number> {
  let removed = 0;
  const used = new Set([
    ...[...baseline.state.classes.values()].flatMap(({ dex }) => [
      dex,
      classFileOf(dex),
      dex.replace(/\.dex$/, '.globals'),
    ]),
    ...baseline.parts.files.map((file) => file.path),
  ]);
  for (const store of ['dex', 'files']) {
    for (const folder of await names(join(root, store))) {
      for (const name of await names(join(root, store, folder))) {
        const path = join(root, store, folder, name);
        if (used.has(path) || (await ageOf(path, now)) <= KEPT_MS) continue;
        await rm(path, { recursive: true, force: true });
        removed += 1;
      }
    }
  }
  return removed;
}

/** Removes all but the newest few results of linking. */
export async function tidyLinks(root: string, baseline: Baseline, now: number): Promise<void> {
  const dir = join(root, 'resources', 'links');
  const current = dirname(baseline.parts.resourcesApk);
  const links: { path: string; age: number }[] = [];
  for (const name of await names(dir))
    links.push({ path: join(dir, name), age: await ageOf(join(dir, name), now) });
  links.sort((a, b) => a.age - b.age);
  for (const { path } of links.slice(KEPT_LINKS)) {
    if (path !== current) await rm(path, { recursive: true, force: true });
  }
}

async function names(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}

async function ageOf(path: string, now: number): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found === null ? 0 : now - found.mtimeMs;
}
