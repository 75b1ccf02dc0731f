import type { Server } from 'node:http';
import { systemErrorCode } from '../shared/files.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';

export const FIRST_PORT = 12_320;
export const LAST_PORT = 12_329;

export interface Bound {
  readonly port: number;
  readonly addresses: readonly string[];
  /** Stops listening; connections stay. */
  close(): void;
}

/** Listens on one address; resolves with an errno name when that fails. */
export type Listen = (port: number, address: string) => Promise<{ readonly close: () => void } | string>;

/** What it means that IPv6 is not there at all: the other address is enough then. */
const NO_IPV6: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/**
 * Binds the first port of the range that is free on both loopback addresses (127.0.0.1 and ::1). Bound first, then
 * known: a check before would be a race. `PORT_RANGE_FULL` when none is.
 */
export async function bindFirstFree(
  listen: Listen,
  range: { readonly first: number; readonly last: number } = { first: FIRST_PORT, last: LAST_PORT },
): Promise<Result<Bound>> {
  for (let port = range.first; port <= range.last; port += 1) {
    const v4 = await listen(port, '127.0.0.1');
    if (typeof v4 === 'string') continue;
    const v6 = await listen(port, '::1');
    if (typeof v6 !== 'string') {
      return ok({
        port,
        addresses: ['127.0.0.1', '::1'],
        close: () => [v4, v6].forEach((one) => one.close()),
      });
    }
    if (NO_IPV6.has(v6)) return ok({ port, addresses: ['127.0.0.1'], close: v4.close });
    v4.close();
  }
  return fail('PORT_RANGE_FULL', `All ports from ${range.first} to ${range.last} are taken.`);
}

/** Listens with a server of its own for each address. `servers` collects those that hold a port. */
export function listenWith(create: () => Server, servers: Set<Server>): Listen {
  return (port, address) =>
    new Promise((resolve) => {
      const server = create();
      server.once('error', (error) => resolve(systemErrorCode(error) ?? 'UNKNOWN'));
      server.listen({ port, host: address, exclusive: true, ipv6Only: address === '::1' }, () => {
        servers.add(server);
        resolve({
          close: () => {
            servers.delete(server);
            server.close();
          },
        });
      });
    });
}
