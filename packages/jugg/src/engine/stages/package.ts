import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../shared/outcome.ts';
import type { WorkContext } from '../../shared/progress.ts';
import type { ApkParts } from '../../project/baseline-file.ts';
import { writeApk } from '../../toolchain/apk-zip.ts';
import type { CompileHost } from '../../toolchain/types.ts';
import type { BuildState } from '../types.ts';
import { mergedDex, touch } from './merged-dex.ts';

/** APKs of earlier states that are kept: going back to one of them is common while trying something out. */
const KEPT = 4;

/** An APK with more than one dex file needs no help of the app's own from this level on. */
const MULTIDEX = 21;

/** Makes the signed APK of a state, or answers the one made before. `dir` holds one APK a state. */
export async function packageState(
  state: BuildState,
  parts: ApkParts,
  dir: string,
  host: CompileHost,
  work: WorkContext,
): Promise<Result<string>> {
  const target = join(dir, `${state.id.slice(0, 32)}.apk`);
  if (await touch(target)) return ok(target);
  if (state.minSdk < MULTIDEX) {
    return fail(
      'FEATURE_NOT_SUPPORTED',
      `minSdk ${state.minSdk} is below ${MULTIDEX}: Jugg puts several dex files into the APK, which those releases cannot load.`,
    );
  }
  work.phase('Package');
  const temporary = join(dir, `.new-${randomUUID()}`);
  await mkdir(temporary, { recursive: true });
  try {
    const merged = await mergedDex(state, join(dir, 'dex'), host, work);
    if (!merged.ok) return merged;
    const unsigned = join(temporary, 'unsigned.apk');
    const written = await writeApk(
      {
        base: parts.resourcesApk,
        dexFiles: [...merged.value, ...parts.libraryDex.map(({ dex }) => dex)],
        files: parts.files,
        output: unsigned,
      },
      work.signal,
    );
    if (!written.ok) return written;
    const signed = join(temporary, 'signed.apk');
    const done = await host.sign({ input: unsigned, output: signed, minSdk: state.minSdk }, work);
    if (!done.ok) return done;
    await rename(signed, target);
    await prune(dir);
    return ok(target);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function prune(dir: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.apk'));
  const aged = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(dir, name)).catch(() => null);
      return { name, usedAt: found?.mtimeMs ?? 0 };
    }),
  );
  aged.sort((a, b) => b.usedAt - a.usedAt);
  for (const { name } of aged.slice(KEPT)) await rm(join(dir, name), { force: true });
}
