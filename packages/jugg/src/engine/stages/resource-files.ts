import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../shared/outcome.ts';
import type { WorkContext } from '../../shared/progress.ts';
import { flatName, type Aapt2 } from '../../toolchain/aapt2.ts';
import { digest } from '../../project/changes.ts';
import type { Diagnostic } from '../types.ts';
import { declaredSymbols } from './resource-symbols.ts';

/** A resource file of the project. */
export interface ResourceFile {
  readonly path: string;
  /** Content digest. */
  readonly hash: string;
  /** The `res` folder it lies in. */
  readonly root: string;
  readonly module: string;
}

/** A resource file with its compiled form. */
export interface FlatFile {
  readonly hash: string;
  /** Absolute path. */
  readonly flat: string;
  /** What it declares, as `type/name` in its own spelling. */
  readonly symbols: readonly string[];
}

export type FlatFiles = Readonly<Record<string, FlatFile>>;

/** As many files as fit a command line of Windows (32,767 characters) with long paths. */
const BATCH = 60;

/**
 * Compiles the resource files that are not as they were at `known`. The answer holds every file, also when some failed:
 * `complete` is false then, and what was compiled need not be compiled again.
 */
export async function compileResourceFiles(
  files: readonly ResourceFile[],
  known: FlatFiles,
  flatDir: string,
  aapt2: Aapt2,
  work: WorkContext,
): Promise<{
  readonly flats: FlatFiles;
  readonly compiled: readonly string[];
  readonly result: Result<readonly Diagnostic[]>;
}> {
  const flats: Record<string, FlatFile> = {};
  const stale = new Map<string, ResourceFile[]>();
  for (const file of files) {
    const old = known[file.path];
    if (old?.hash === file.hash && file.hash !== '') flats[file.path] = old;
    else {
      const list = stale.get(file.root);
      if (list) list.push(file);
      else stale.set(file.root, [file]);
    }
  }
  const paths = new Set(files.map(({ path }) => path));
  for (const [path, old] of Object.entries(known)) {
    if (!paths.has(path)) await rm(old.flat, { force: true });
  }
  const compiled: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [root, all] of stale) {
    const outputDir = join(flatDir, digest(root).slice(0, 12));
    await mkdir(outputDir, { recursive: true });
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH);
      const reply = await aapt2.compileFiles({ files: batch.map((file) => file.path), outputDir }, work);
      if (!reply.ok) return { flats, compiled, result: reply };
      diagnostics.push(...reply.value.diagnostics);
      for (const file of batch) {
        compiled.push(file.path);
        const text = file.path.endsWith('.xml') ? await readOrNothing(file.path) : null;
        flats[file.path] = {
          hash: file.hash,
          flat: join(outputDir, flatName(file.path)),
          symbols: declaredSymbols(file.path, text),
        };
      }
    }
  }
  return { flats, compiled, result: ok(diagnostics) };
}

async function readOrNothing(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
}
