import { createHash, randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApkParts } from '../../project/baseline.ts';
import { readZip } from '../../toolchain/zip-reader.ts';
import { MAX_ENTRIES, storedEntry, ZipWriter } from '../../toolchain/zip-writer.ts';
import { classFileOf } from '../class-file.ts';
import type { BuildState, ClassJar } from '../types.ts';

/** Most class files are small: the time goes into opening them. */
const READ_AT_ONCE = 64;

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
    for (let at = 0; at < classes.length; at += READ_AT_ONCE) {
      const entries = await Promise.all(
        classes
          .slice(at, at + READ_AT_ONCE)
          .map(async ([name, { dex }]) =>
            storedEntry(`${name.replaceAll('.', '/')}.class`, await readFile(classFileOf(dex)), 1),
          ),
      );
      for (const entry of entries) await zip.add(entry);
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
