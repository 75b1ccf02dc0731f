import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { CLIENT_FEATURES, formatBanner, parseBanner } from './banner.ts';
import type { Banner } from './banner.ts';
import { onAbort, withDeadline } from './deadline.ts';
import { gone, refused } from './faults.ts';
import { AdbMux } from './mux.ts';
import type { Transport } from './transport.ts';
import type { CallOptions } from './types.ts';

/** adbd on the loopback answers at once; more than this is a port on which something else listens. */
const CONNECT_TIMEOUT_MS = 3000;

/** A connection to an adbd that asks for no keys: virtual devices and emulators. Many streams share it. */
export class DirectTransport implements Transport {
  readonly serial: string;
  readonly banner: Banner;
  readonly features: ReadonlySet<string>;
  readonly #mux: AdbMux;
  readonly #closed: Promise<void>;

  constructor(serial: string, banner: Banner, mux: AdbMux, closed: Promise<void>) {
    this.serial = serial;
    this.banner = banner;
    const ours: ReadonlySet<string> = new Set(CLIENT_FEATURES);
    this.features = new Set([...banner.features].filter((feature) => ours.has(feature)));
    this.#mux = mux;
    this.#closed = closed;
  }

  async openStream(service: string, signal: AbortSignal): Promise<Result<Duplex>> {
    if (this.#mux.closed) return gone(this.serial);
    const opening = this.#mux.open(service);
    const stopListening = onAbort(signal, () => {
      opening.cancel();
    });
    const stream = await opening.stream;
    stopListening();
    if (signal.aborted) {
      stream?.destroy();
      return fail('CANCELED', `Opening ${service}: canceled.`);
    }
    if (stream) {
      // The reader hears of errors through its own handlers; without one, none must end the process.
      stream.on('error', () => {});
      return ok(stream);
    }
    return this.#mux.closed ? gone(this.serial) : refused(this.serial, service);
  }

  /** Resolves when the connection has ended, for whatever reason. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  get isClosed(): boolean {
    return this.#mux.closed;
  }

  close(): void {
    this.#mux.close();
  }
}

/** Connects to the adbd at `host:port`; the serial is `host:port`, as an adb server would name it. */
export async function connectDirect(
  address: { readonly host: string; readonly port: number },
  options?: CallOptions,
): Promise<Result<DirectTransport>> {
  const serial = `${address.host}:${address.port}`;
  return withDeadline(`Connecting to ${serial}`, options, CONNECT_TIMEOUT_MS, async (signal) => {
    const socket = connect({ host: address.host, port: address.port });
    socket.setNoDelay(true);
    const stopListening = onAbort(signal, () => {
      socket.destroy();
    });
    let closeResolve = (): void => {};
    const closed = new Promise<void>((resolve) => {
      closeResolve = resolve;
    });
    const result = await new Promise<Result<DirectTransport>>((resolve) => {
      const mux = new AdbMux(socket, {
        connected: (banner) => {
          resolve(ok(new DirectTransport(serial, parseBanner(banner), mux, closed)));
        },
        authRequested: () => {
          resolve(
            fail(
              'DEVICE_UNAUTHORIZED',
              `Device ${serial} asks for a key; it must be reached through an adb server.`,
            ),
          );
        },
        open: () => null,
        closed: (error) => {
          closeResolve();
          resolve(fail('DEVICE_GONE', `No device at ${serial}: ${error?.message ?? 'closed'}.`));
        },
      });
      mux.sendConnect(formatBanner('host', {}, CLIENT_FEATURES));
    });
    stopListening();
    if (!result.ok) socket.destroy();
    return result;
  });
}
