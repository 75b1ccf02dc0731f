import { randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readJson, systemErrorCode } from '../shared/files.ts';

/**
 * Makes a file that only one process can make; `false` when it is there already. It is made whole under another name,
 * then linked: nobody ever reads half of it.
 */
export async function createLock(file: string, content: object): Promise<boolean> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const candidate = `${file}.${randomUUID()}`;
  await writeFile(candidate, JSON.stringify(content), { mode: 0o600 });
  try {
    await link(candidate, file);
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(candidate, { force: true });
  }
}

/**
 * Removes a lock that was found stale. It is moved away first and looked at again: of two that find it stale, the slower
 * one must not remove the new lock of the faster one.
 */
export async function removeStaleLock(file: string, isStale: (content: unknown) => boolean): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (!isStale(await readJson(aside))) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}
