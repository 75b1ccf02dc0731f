import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { ApkParts } from '../../project/baseline.ts';
import { readZip } from '../../toolchain/zip-reader.ts';
import { MAX_ENTRIES, storedEntry, ZipWriter } from '../../toolchain/zip-writer.ts';
import { classFileOf } from '../class-file.ts';
import type { BuildState, ClassJar } from '../types.ts';

/** After so many files other work gets a turn: they take some 5 ms. */
const TURN = 200;

/** The code of `apk` (of `state`, made of `parts`) as class files; the project's own go to a jar in `dir`. */
export async function classJarsOf(
  apk: string,
  state: BuildState,
  parts: ApkParts,
  dir: string,
): Promise<readonly ClassJar[]> {
  const digests: string[] = [];
  for await (const entry of readZip(apk)) {
    const number = /^classes(\d*)\.dex$/.exec(entry.name)?.[1];
    if (number !== undefined) digests[Number(number || 1) - 1] = sha256(await entry.content());
  }
  // The project's classes come first; they need more than one dex file when they are many.
  const ownCount = digests.length - parts.libraryDex.length;
  const own = state.classes.size > MAX_ENTRIES ? null : await jarOfClasses(state, dir);
  return digests.flatMap((dexSha256, index): ClassJar[] => {
    const library = parts.libraryDex[index - ownCount];
    if (library) return [{ dexSha256, jar: library.jar, own: false }];
    return own === null ? [] : [{ dexSha256, jar: own, own: true }];
  });
}

async function jarOfClasses(state: BuildState, dir: string): Promise<string> {
  const target = join(dir, `${state.id.slice(0, 32)}.jar`);
  if (await stat(target).catch(() => null)) return target;
  const part = join(dir, `.new-${randomUUID()}`);
  const file = await open(part, 'w');
  try {
    const zip = new ZipWriter(file);
    const classes = [...state.classes];
    for (const [index, [name, { dex }]] of classes.entries()) {
      // Synchronous calls: asynchronous ones take several times as long for small files; others get turns in between.
      if (index % TURN === 0) await breathe();
      await zip.add(storedEntry(`${name.replaceAll('.', '/')}.class`, readFileSync(classFileOf(dex)), 1));
    }
    await zip.finish();
    await file.close();
    await rename(part, target);
  } finally {
    await file.close();
    await rm(part, { force: true });
  }
  return target;
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
