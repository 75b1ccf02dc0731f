import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { formatBanner } from '../../../jugg/src/adb/banner.ts';
import { AdbMux } from '../../../jugg/src/adb/mux.ts';
import type { Opening } from '../../../jugg/src/adb/mux.ts';

/** What this daemon really implements; the real adb chooses its ways by these names. */
export const ADBD_FEATURES = ['shell_v2', 'cmd', 'stat_v2', 'ls_v2', 'fixed_push_mkdir'] as const;

/** Accepts or refuses a service; an accepted one is started with its stream. */
export type OpenService = (service: string) => Opening | Promise<Opening>;

export interface AdbdOptions {
  readonly props: Readonly<Record<string, string>>;
  readonly open: OpenService;
  /** The first port to try; the next free one is taken. */
  readonly port: number;
  /** How many ports may be tried. 1: only the given one. */
  readonly attempts: number;
}

export interface Adbd {
  readonly port: number;
  readonly connections: number;
  close(): Promise<void>;
}

/** Listens on the loopback only: whoever can connect can run code as this user. No AUTH, as an emulator's adbd. */
export async function startAdbd(options: AdbdOptions): Promise<Adbd | null> {
  const muxes = new Set<AdbMux>();
  const banner = formatBanner('device', options.props, ADBD_FEATURES);
  const server = createServer((socket: Socket) => {
    const mux = new AdbMux(socket, {
      connected() {
        mux.sendConnect(banner);
      },
      // A client never asks; one that does is no adb client.
      authRequested() {
        mux.close();
      },
      open: (service) => options.open(service),
      closed() {
        muxes.delete(mux);
      },
    });
    muxes.add(mux);
  });
  const port = await listen(server, options.port, options.attempts);
  if (port === null) return null;
  return {
    port,
    get connections() {
      return muxes.size;
    },
    async close() {
      for (const mux of muxes) mux.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** Binds, then knows: looking for a free port first would be a race. */
async function listen(server: Server, first: number, attempts: number): Promise<number | null> {
  for (let port = first; port < first + attempts && port < 65_536; port++) {
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
