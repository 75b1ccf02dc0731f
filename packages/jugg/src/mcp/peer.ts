import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/**
 * Whether the other end of a loopback connection belongs to this user. On Linux the kernel tells the owner of every
 * socket (/proc/net/tcp, tcp6: column `uid`); elsewhere nothing is asked and everybody on this machine is let in.
 * Root is let in: it can read the token anyway. A connection that cannot be found is refused.
 */
export async function isOwnPeer(
  socket: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localPort'>,
): Promise<boolean> {
  const own = process.getuid?.();
  if (process.platform !== 'linux' || own === undefined) return true;
  const { remotePort, localPort } = socket;
  if (remotePort === undefined || localPort === undefined) return false;
  const table = socket.remoteAddress?.includes(':') === true ? '/proc/net/tcp6' : '/proc/net/tcp';
  const uid = ownerOf(await readFile(table, 'utf8').catch(() => ''), remotePort, localPort);
  return uid !== undefined && (uid === own || uid === 0);
}

/** The uid of the socket whose local port is `port` and whose remote port is `to`, in a table of /proc/net. Pure. */
export function ownerOf(table: string, port: number, to: number): number | undefined {
  // "sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode" (proc_net_tcp.rst)
  const local = `:${hex(port)} `;
  const remote = `:${hex(to)} `;
  for (const line of table.split('\n')) {
    const at = line.indexOf(local);
    if (at < 0 || line.indexOf(remote, at) < 0) continue;
    const columns = line.trim().split(/\s+/);
    if (!columns[1]?.endsWith(local.trim()) || !columns[2]?.endsWith(remote.trim())) continue;
    return Number(columns[7]);
  }
  return undefined;
}

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
