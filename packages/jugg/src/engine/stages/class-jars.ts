import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { ApkParts } from '../../project/baseline-file.ts';
import { classNamesOfDex } from '../../toolchain/dex-classes.ts';
import { readZip } from '../../toolchain/zip-reader.ts';
import { MAX_ENTRIES, storedEntry, ZipWriter } from '../../toolchain/zip-writer.ts';
import { classFileOf } from '../class-file.ts';
import type { BuildState, ClassJar } from '../types.ts';
import { pruneOthers, touch } from './merged-dex.ts';

/** After so many files other work gets a turn: they take some 5 ms. */
const TURN = 200;

/**
 * The code of `apk` (of `state`, made of `parts`) as class files: for each dex file of the project a jar in `dir` with its
 * classes and no others, as a device may have it for long, beside newer ones of other dex files.
 */
export async function classJarsOf(
  apk: string,
  state: BuildState,
  parts: ApkParts,
  dir: string,
): Promise<readonly ClassJar[]> {
  const dexFiles: Buffer[] = [];
  for await (const entry of readZip(apk)) {
    const number = /^classes(\d*)\.dex$/.exec(entry.name)?.[1];
    if (number !== undefined) dexFiles[Number(number || 1) - 1] = Buffer.from(await entry.content());
  }
  // The project's classes come first; they need more than one dex file when they are many.
  const ownCount = dexFiles.length - parts.libraryDex.length;
  const jars: ClassJar[] = [];
  const used = new Set<string>();
  await mkdir(dir, { recursive: true });
  for (const [index, dex] of dexFiles.entries()) {
    const dexSha256 = sha256(dex);
    const library = parts.libraryDex[index - ownCount];
    if (library !== undefined) {
      jars.push({ dexSha256, jar: library.jar, own: false });
      continue;
    }
    const jar = join(dir, `${dexSha256}.jar`);
    used.add(`${dexSha256}.jar`);
    const names = (await touch(jar)) ? null : classNamesOfDex(dex);
    if (names !== null && names.length > MAX_ENTRIES) continue;
    if (names !== null) await writeJar(names, state, jar);
    jars.push({ dexSha256, jar, own: true });
  }
  await pruneOthers(dir, used);
  return jars;
}

/** The class files of `names`, but for what D8 made of its own. */
async function writeJar(names: readonly string[], state: BuildState, target: string): Promise<void> {
  const part = `${target}.${randomUUID()}`;
  const file = await open(part, 'w');
  try {
    const zip = new ZipWriter(file);
    for (const [index, name] of names.entries()) {
      // Synchronous calls: asynchronous ones take several times as long for small files; others get turns in between.
      if (index % TURN === 0) await breathe();
      const one = state.classes.get(name);
      if (one === undefined) continue;
      const content = readFileSync(classFileOf(one.dex));
      await zip.add(storedEntry(`${name.replaceAll('.', '/')}.class`, content, 1));
    }
    await zip.finish();
    await file.close();
    await rename(part, target);
  } finally {
    await file.close();
    await rm(part, { force: true });
  }
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
