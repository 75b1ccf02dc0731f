import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Holds temporary folders of this and other Jugg processes; their names tell whose they are. */
const FOLDER = 'tmp';

/**
 * Makes a temporary folder below `cacheDir` and removes those that killed processes have left there. The caller removes
 * its own at the end.
 */
export async function temporaryFolder(cacheDir: string, purpose: string): Promise<string> {
  const folder = join(cacheDir, FOLDER);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const owner = Number(/-(\d+)-[^-]+$/.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(owner) && !isRunning(owner)) {
      // Another process may be sweeping too.
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
    }
  }
  return mkdtemp(join(folder, `${purpose}-${process.pid}-`));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is such a process, of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
