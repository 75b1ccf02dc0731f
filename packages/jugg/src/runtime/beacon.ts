import { randomBytes } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';

/** Longest wait for the word of a process that is there but slow. */
const ASK_TIMEOUT_MS = 1500;

/** Where a process says who it is. */
export interface BeaconAddress {
  readonly port: number;
  /** What it answers: a number that nobody else on that port would say. */
  readonly word: string;
}

/**
 * A loopback port of this process that says one random word to whoever connects. It ends with the process in whatever way
 * that ends, so it proves life where a pid does not: pids are used again. It gives nothing away and takes nothing in.
 */
export class Beacon {
  readonly #word = randomBytes(12).toString('hex');
  #server: Server | undefined;
  #opening: Promise<BeaconAddress> | undefined;

  /** Opened at first use. */
  address(): Promise<BeaconAddress> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  close(): void {
    this.#server?.close();
    this.#server = undefined;
    this.#opening = undefined;
  }

  #open(): Promise<BeaconAddress> {
    return new Promise((resolve, reject) => {
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.end(`${this.#word}\n`);
      });
      this.#server = server;
      server.unref();
      server.once('error', reject);
      server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => {
        const address = server.address();
        if (typeof address === 'object' && address !== null)
          resolve({ port: address.port, word: this.#word });
        else reject(new Error('the beacon has no port'));
      });
    });
  }
}

/** Whether the process behind an address still lives, and answers. */
export function answers({ port, word }: BeaconAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let said = '';
    const end = (alive: boolean): void => {
      socket.destroy();
      resolve(alive);
    };
    socket.setTimeout(ASK_TIMEOUT_MS, () => end(false));
    socket.on('error', () => end(false));
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
      if (said.length > 100) end(false);
    });
    socket.on('close', () => resolve(said.trim() === word));
  });
}
