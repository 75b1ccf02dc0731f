import type { AdbConnection } from '../adb/types.ts';
import { ok, type Result } from '../shared/outcome.ts';
import { run } from './shell.ts';
import type { ClassFiles } from './types.ts';

/** Where a virtual device looks for them: see docs/app-process-protocol.md. */
const FOLDER = '/data/local/tmp/jugg/classes';

const pathOf = (dexSha256: string): string => `${FOLDER}/${dexSha256}.jar`;

export async function putClassFiles(
  connection: AdbConnection,
  files: readonly ClassFiles[],
  signal: AbortSignal,
): Promise<Result<void>> {
  const there = await connection.list(FOLDER, { signal });
  if (!there.ok) return there;
  const known = new Set(there.value.map(({ name }) => `${FOLDER}/${name}`));
  for (const { dexSha256, jar } of files) {
    const path = pathOf(dexSha256);
    if (known.has(path)) continue;
    // Under another name first: a transfer that breaks leaves no half jar that would be taken for a whole one.
    const pushed = await connection.push({ file: jar }, `${path}.part`, { signal });
    if (!pushed.ok) return pushed;
    const moved = await run(connection, ['mv', '-f', `${path}.part`, path], signal);
    if (!moved.ok) return moved;
  }
  return ok(undefined);
}

export async function dropClassFiles(
  connection: AdbConnection,
  dexSha256: readonly string[],
  signal: AbortSignal,
): Promise<Result<void>> {
  if (dexSha256.length === 0) return ok(undefined);
  const gone = await run(connection, ['rm', '-f', ...dexSha256.map(pathOf)], signal);
  return gone.ok ? ok(undefined) : gone;
}
