import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '../../shared/outcome.ts';
import type { WorkContext } from '../../shared/progress.ts';
import { digest } from '../../project/changes.ts';
import type { ClassInfo, CompileHost } from '../../toolchain/types.ts';
import { classFileOf } from '../class-file.ts';
import type { KnownOutputs } from '../known-outputs.ts';
import { classSets, DEFAULT_METHODS, matesOf, type PlacedClasses } from './class-places.ts';

export interface DexInput {
  readonly host: CompileHost;
  /** Identity of D8 and of the framework. */
  readonly dexId: string;
  readonly minApi: number;
  readonly bootClassPath: readonly string[];
  /** Class folders and library jars of the app. */
  readonly classPath: readonly string[];
  /** Where dex files are kept by content. */
  readonly dir: string;
  readonly known: KnownOutputs;
}

/** D8 holds all the classes of a run in memory: those of a full build of a large project do not fit into the host's. */
const AT_ONCE = 4000;

/**
 * Makes the dex files of classes that are not there yet. They are kept by the content they were made from, so that a file once
 * named never changes, and an edit that is taken back costs nothing. The class file lies beside each, as the folder that it
 * was compiled to may be ahead of the last good build.
 */
export async function dexClasses(
  placed: readonly PlacedClasses[],
  input: DexInput,
  work: WorkContext,
): Promise<Result<void>> {
  const dex = new Map<string, string>();
  const missing: ClassInfo[] = [];
  const { files, lists } = input.known;
  for (const { infos, entries } of placed) {
    // By identity: a list is made anew with each change of its module.
    if (lists.has(entries)) continue;
    for (const [index, [name, { dex: path }]] of entries.entries()) {
      const info = infos[index];
      if (info === undefined || files.has(path)) continue;
      if ((await exists(path)) && (await exists(classFileOf(path)))) files.add(path);
      else {
        missing.push(info);
        dex.set(name, path);
      }
    }
  }
  if (missing.length > 0) {
    work.phase('Dex');
    const sets = input.minApi < DEFAULT_METHODS ? classSets(placed.flatMap(({ infos }) => infos)) : null;
    for (const batch of batchesOf(missing, AT_ONCE)) {
      const made = await translate(batch, dex, sets, input, work);
      if (!made.ok) return made;
    }
  }
  for (const { entries } of placed) lists.add(entries);
  return ok(undefined);
}

/** Translates `batch` and puts what comes of it to where `dex` says. */
async function translate(
  batch: readonly ClassInfo[],
  dex: ReadonlyMap<string, string>,
  sets: ReadonlyMap<string, readonly ClassInfo[]> | null,
  input: DexInput,
  work: WorkContext,
): Promise<Result<void>> {
  const fresh = join(input.dir, `.new-${randomUUID()}`);
  try {
    const reply = await input.host.dex(
      {
        classFiles: [
          ...new Set(batch.flatMap((info) => [info, ...matesOf(info, sets)].map(({ file }) => file))),
        ],
        classPath: input.classPath,
        bootClassPath: input.bootClassPath,
        minApi: input.minApi,
        outputDir: fresh,
      },
      work,
    );
    if (!reply.ok) return reply;
    for (const info of batch) {
      const made = reply.value.dex.get(info.name);
      const target = dex.get(info.name);
      if (made === undefined || target === undefined) {
        return fail('INTERNAL_ERROR', `D8 made no dex file for ${info.name}.`);
      }
      await mkdir(dirname(target), { recursive: true });
      // Beside a dex file may lie the synthetic classes that it shares with others, by the same name.
      const globals = made.replace(/\.dex$/, '.globals');
      if (await exists(globals)) await rename(globals, target.replace(/\.dex$/, '.globals'));
      await rename(made, target);
      const part = `${classFileOf(target)}.part`;
      await copyFile(info.file, part);
      await rename(part, classFileOf(target));
      input.known.files.add(target);
    }
    return ok(undefined);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Classes in lots of at most `atMost`; those of one source class stay together, whatever their number. */
export function batchesOf(classes: readonly ClassInfo[], atMost: number): ClassInfo[][] {
  const batches: ClassInfo[][] = [];
  for (const set of classSets(classes).values()) {
    const last = batches.at(-1);
    if (last !== undefined && last.length + set.length <= atMost) last.push(...set);
    else batches.push([...set]);
  }
  return batches;
}

/** Dexes each library once for all projects; `cacheDir` is Jugg's. Answers all dex files in the order of the jars. */
export async function dexLibraries(
  jars: readonly string[],
  input: Omit<DexInput, 'classPath' | 'dir' | 'known'>,
  cacheDir: string,
  work: WorkContext,
): Promise<Result<{ readonly files: readonly { dex: string; jar: string }[]; readonly id: string }>> {
  const files: { dex: string; jar: string }[] = [];
  const ids: string[] = [];
  for (const jar of jars) {
    const { size, mtimeMs } = await stat(jar);
    const key = digest([input.dexId, input.minApi, jar, size, mtimeMs].join('|'));
    ids.push(key);
    const dir = join(cacheDir, 'library-dex', key.slice(0, 32));
    if (!(await exists(dir))) {
      work.log(`Translating ${jar} to dex`);
      const fresh = `${dir}.${randomUUID()}`;
      const made = await input.host.dexJar(
        {
          jar,
          classPath: jars.filter((other) => other !== jar),
          bootClassPath: input.bootClassPath,
          minApi: input.minApi,
          outputDir: fresh,
        },
        work,
      );
      if (!made.ok) {
        await rm(fresh, { recursive: true, force: true });
        return made;
      }
      // Another server may have been faster; its result is the same.
      await rename(fresh, dir).catch(() => rm(fresh, { recursive: true, force: true }));
    }
    for (let number = 1; ; number++) {
      const file = join(dir, number === 1 ? 'classes.dex' : `classes${number}.dex`);
      if (!(await exists(file))) break;
      files.push({ dex: file, jar });
    }
  }
  return ok({ files, id: digest(ids.join(' ')) });
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
