import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes the socket files of processes that are gone: names often carry a process id, so nobody else would ever
 * replace them. Linux says which sockets are bound; elsewhere the files stay until the device ends.
 */
export async function removeDeadSockets(socketDir: string): Promise<void> {
  // In this order: what is bound after the first look is not looked at.
  const files = (await readdir(socketDir).catch(() => [])).filter((name) => name.endsWith('.sock'));
  if (files.length === 0) return;
  const bound = await readFile('/proc/net/unix', 'utf8').catch(() => null);
  if (bound === null) return;
  const paths = new Set(bound.split('\n').map((line) => line.slice(line.lastIndexOf(' ') + 1)));
  await Promise.all(
    files
      .map((name) => join(socketDir, name))
      .filter((path) => !paths.has(path))
      .map((path) => rm(path, { force: true })),
  );
}

/** Removes the named pipes that a process has made; ends that others have open work on. */
export async function removePipes(socketDir: string, pid: number): Promise<void> {
  const dir = join(socketDir, 'pipes');
  const names = await readdir(dir).catch(() => []);
  await Promise.all(
    names.filter((name) => name.startsWith(`${pid}-`)).map((name) => rm(join(dir, name), { force: true })),
  );
}
