import { readdir, readFile, readlink } from 'node:fs/promises';
import { execa } from 'execa';
import { scanServers } from './scan.ts';

/** Who holds the ports of a range: programs as the system names them, Jugg servers as `jugg`. */
export async function portHolders(first: number, last: number): Promise<Readonly<Record<string, string>>> {
  const [owners, servers] = await Promise.all([portOwners(first, last), scanServers(first, last)]);
  const named = servers.map(({ port }) => {
    const [pid = ''] = /\(pid \d+\)$/.exec(owners[port] ?? '') ?? [];
    return [port, `jugg ${pid}`.trim()];
  });
  return { ...owners, ...Object.fromEntries(named) };
}

/**
 * Names the programs that listen on loopback ports of a range, as far as this system tells: from /proc on Linux,
 * `lsof` on macOS; on Windows nothing is asked. Never fails: an unknown owner is left out.
 */
async function portOwners(first: number, last: number): Promise<Readonly<Record<string, string>>> {
  try {
    if (process.platform === 'linux') return await linuxOwners(first, last);
    if (process.platform === 'darwin') return await lsofOwners(first, last);
  } catch {
    // What cannot be found out is not worth an error on top of the error.
  }
  return {};
}

const LISTEN = '0A';

async function linuxOwners(first: number, last: number): Promise<Record<string, string>> {
  const inodes = new Map<string, number>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of (await readFile(table, 'utf8').catch(() => '')).split('\n').slice(1)) {
      // "sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode" (Documentation/networking/proc_net_tcp.rst)
      const columns = line.trim().split(/\s+/);
      const port = Number.parseInt(columns[1]?.split(':')[1] ?? '', 16);
      if (columns[3] === LISTEN && port >= first && port <= last) inodes.set(columns[9] ?? '', port);
    }
  }
  const owners: Record<string, string> = {};
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const links = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const link of links) {
      const target = await readlink(`/proc/${pid}/fd/${link}`).catch(() => '');
      const port = inodes.get(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '');
      if (port === undefined) continue;
      const command = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim();
      owners[port] = `${command || 'a program'} (pid ${pid})`;
    }
  }
  return owners;
}

async function lsofOwners(first: number, last: number): Promise<Record<string, string>> {
  const { stdout } = await execa('lsof', ['-nP', `-iTCP:${first}-${last}`, '-sTCP:LISTEN', '-Fpcn'], {
    reject: false,
    timeout: 3000,
  });
  const owners: Record<string, string> = {};
  let pid = '';
  let command = '';
  for (const line of stdout.split('\n')) {
    if (line.startsWith('p')) pid = line.slice(1);
    if (line.startsWith('c')) command = line.slice(1);
    const port = /:(\d+)$/.exec(line)?.[1];
    if (line.startsWith('n') && port) owners[port] = `${command} (pid ${pid})`;
  }
  return owners;
}
