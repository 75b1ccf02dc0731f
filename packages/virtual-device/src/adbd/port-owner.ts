import { readdir, readFile, readlink } from 'node:fs/promises';

/** State of a listening socket in `/proc/net/tcp`. */
const LISTEN = '0A';

/**
 * Whether one of these processes listens on a TCP port. Only Linux tells (`/proc`); elsewhere the answer is no, and
 * the port stays closed to adb clients.
 */
export async function isListening(port: number, pids: readonly number[]): Promise<boolean> {
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '');
    for (const line of text.split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const local = Number.parseInt(fields[1]?.split(':')[1] ?? '', 16);
      if (local === port && fields[3] === LISTEN && fields[9] !== undefined)
        inodes.add(`socket:[${fields[9]}]`);
    }
  }
  if (inodes.size === 0) return false;
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`;
    for (const fd of await readdir(folder).catch(() => [])) {
      if (inodes.has(await readlink(`${folder}/${fd}`).catch(() => ''))) return true;
    }
  }
  return false;
}
