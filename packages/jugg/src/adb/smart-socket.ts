import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { onAbort } from './deadline.ts';

/** Where an adb server listens. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** What a request failed with: the server's own words, or that there is no server. */
export interface ServerFailure {
  readonly kind: 'fail' | 'gone';
  readonly message: string;
}

export type ServerResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ServerFailure };

const GONE: ServerResult<never> = {
  ok: false,
  failure: { kind: 'gone', message: 'the adb server closed the connection' },
};

/**
 * One connection to an adb server (AOSP adb/OVERVIEW.TXT, SERVICES.TXT): requests and some answers are strings behind
 * their length in four hex digits, `OKAY` or `FAIL` says whether the request is taken.
 */
export class SmartSocket {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Sends a request; ok when the server answers OKAY. */
  async request(service: string): Promise<ServerResult<void>> {
    const body = Buffer.from(service);
    this.#socket.write(Buffer.concat([Buffer.from(body.length.toString(16).padStart(4, '0')), body]));
    const status = await this.#exactly(4);
    if (!status) return GONE;
    if (status.toString('latin1') === 'OKAY') return { ok: true, value: undefined };
    const message = await this.text();
    return { ok: false, failure: { kind: 'fail', message: message ?? status.toString('latin1') } };
  }

  /** A string behind its length; `null` when the connection ends before it is complete. */
  async text(): Promise<string | null> {
    const length = await this.#exactly(4);
    if (!length) return null;
    const size = Number.parseInt(length.toString('latin1'), 16);
    if (Number.isNaN(size)) return null;
    const body = size === 0 ? Buffer.alloc(0) : await this.#exactly(size);
    return body ? body.toString('utf8') : null;
  }

  /** The connection as a plain stream, once a service of a device is open. */
  release(): Socket {
    return this.#socket;
  }

  close(): void {
    this.#socket.destroy();
  }

  #exactly(length: number): Promise<Buffer | null> {
    const socket = this.#socket;
    return new Promise((resolve) => {
      const attempt = (): void => {
        const data: Buffer | null = socket.read(length);
        // At the end of the stream `read` hands out what is left, however little.
        if (data?.length === length) finish(data);
        else if (data !== null || socket.destroyed || socket.readableEnded) finish(null);
      };
      const ended = (): void => finish(null);
      const finish = (result: Buffer | null): void => {
        socket.off('readable', attempt);
        socket.off('end', ended);
        socket.off('close', ended);
        resolve(result);
      };
      socket.on('readable', attempt);
      socket.on('end', ended);
      socket.on('close', ended);
      attempt();
    });
  }
}

/** Connects to an adb server; a fault when none listens there. Never starts one. */
export async function connectToServer(
  address: ServerAddress,
  signal: AbortSignal,
): Promise<Result<SmartSocket>> {
  const socket = connect({ host: address.host, port: address.port });
  socket.setNoDelay(true);
  const stopListening = onAbort(signal, () => {
    socket.destroy();
  });
  const problem = await new Promise<string | null>((resolve) => {
    socket.once('connect', () => resolve(null));
    socket.once('error', (error) => resolve(error.message));
    socket.once('close', () => resolve('closed'));
  });
  stopListening();
  // Later errors end the stream; whoever reads it hears of that.
  socket.on('error', () => {});
  if (problem === null) return ok(new SmartSocket(socket));
  socket.destroy();
  return fail('ENVIRONMENT_ERROR', `No adb server at ${address.host}:${address.port}: ${problem}.`, {
    data: { noServer: true },
  });
}
