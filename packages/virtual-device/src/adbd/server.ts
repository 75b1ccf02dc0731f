import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { formatBanner, parseBanner } from '../../../jugg/src/adb/banner.ts';
import { AdbMux } from '../../../jugg/src/adb/mux.ts';
import type { Opening } from '../../../jugg/src/adb/mux.ts';
import { Authenticator } from './auth.ts';
import type { AuthMode, KeyStore } from './auth.ts';

/** What this daemon really implements; the real adb chooses its ways by these names. */
export const ADBD_FEATURES = [
  'shell_v2',
  'cmd',
  'stat_v2',
  'ls_v2',
  'fixed_push_mkdir',
  'fixed_push_symlink_timestamp',
  'abb',
  'abb_exec',
  'sendrecv_v2',
  'delayed_ack',
] as const;

/** Accepts or refuses a service; an accepted one is started with its stream. `client` opens streams to the client. */
export type OpenService = (service: string, client: AdbMux) => Opening | Promise<Opening>;

export interface AdbdOptions {
  readonly props: Readonly<Record<string, string>>;
  readonly open: OpenService;
  /** The first one of them that is free is taken. */
  readonly ports: readonly number[];
  readonly keys: KeyStore;
  /** Asked for each connection. */
  auth(): AuthMode;
  /** While it says so, connections are taken and nothing is answered. */
  isSilent(): boolean;
  /** A client has gone: what it had set up goes, too. */
  disconnected(client: AdbMux): void;
  /** The link that a client's connection goes through. */
  link(socket: Socket): Duplex;
}

export interface Adbd {
  readonly port: number;
  readonly connections: number;
  /** Ends all connections, as a pulled cable does. */
  disconnectAll(): void;
  /** Ends all connections and closes the port, or opens the same port again. */
  setReachable(reachable: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Another program may have taken the port while the device was away; it is tried again so often. */
const REBIND_MS = 250;

/** Listens on the loopback only: whoever can connect can run code as this user. */
export async function startAdbd(options: AdbdOptions): Promise<Adbd | null> {
  const connections = new Set<{ close(): void }>();
  const server = createServer((socket) => serve(socket, options, connections));
  const port = await listen(server, options.ports);
  if (port === null) return null;
  const disconnectAll = (): void => {
    for (const connection of connections) connection.close();
  };
  const end = new AbortController();
  const shut = async (): Promise<void> => {
    disconnectAll();
    if (!server.listening) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  return {
    port,
    get connections() {
      return connections.size;
    },
    disconnectAll,
    async setReachable(reachable) {
      if (!reachable) return shut();
      while (!end.signal.aborted && !server.listening && (await listen(server, [port])) === null)
        await new Promise((resolve) => setTimeout(resolve, REBIND_MS));
    },
    async close() {
      end.abort();
      await shut();
    },
  };
}

function serve(socket: Socket, options: AdbdOptions, connections: Set<{ close(): void }>): void {
  if (options.isSilent()) {
    const connection = { close: () => socket.destroy() };
    connections.add(connection);
    socket.on('error', () => {});
    socket.on('close', () => connections.delete(connection));
    socket.resume();
    return;
  }
  let authorized = false;
  const accept = (): void => {
    if (authorized || mux.closed) return;
    authorized = true;
    mux.sendConnect(formatBanner('device', options.props, ADBD_FEATURES));
  };
  const mux: AdbMux = new AdbMux(options.link(socket), {
    connected(banner) {
      mux.delayedAck = parseBanner(banner).features.has('delayed_ack');
      if (options.auth() === 'none') accept();
      else authenticator.challenge();
    },
    authRequested(kind, payload) {
      // STLS, or AUTH that nobody asked for: no adb client.
      if (kind === 0 || options.auth() === 'none') mux.close();
      else void authenticator.answered(kind, payload);
    },
    open: (service) => (authorized ? options.open(service, mux) : null),
    closed() {
      authenticator.close();
      options.disconnected(mux);
      connections.delete(mux);
    },
  });
  const authenticator = new Authenticator(
    options.keys,
    () => options.auth(),
    (kind, payload) => mux.sendAuth(kind, payload),
    accept,
  );
  connections.add(mux);
}

/** Binds, then knows: looking for a free port first would be a race. */
async function listen(server: Server, ports: readonly number[]): Promise<number | null> {
  for (const port of ports) {
    const bound = await new Promise<boolean>((resolve) => {
      const failed = (): void => resolve(false);
      server.once('error', failed);
      server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
        server.off('error', failed);
        resolve(true);
      });
    });
    if (bound) return port;
  }
  return null;
}
