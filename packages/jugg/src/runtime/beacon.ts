import { randomBytes } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';

/** Longest wait for the word of a process that is there but slow. */
const ASK_TIMEOUT_MS = 1500;
const LONGEST_WORD = 100;

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

/**
 * Asks who is behind an address: `alive` is the process that gave it; `silent` may be that one, suspended or very busy;
 * `gone` means that it has ended, whoever has its port now.
 */
export function ask({ port, word }: BeaconAddress): Promise<'alive' | 'silent' | 'gone'> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let said = '';
    const end = (state: 'silent' | 'gone'): void => {
      resolve(state);
      socket.destroy();
    };
    socket.setTimeout(ASK_TIMEOUT_MS, () => end('silent'));
    socket.on('error', () => end('gone'));
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
      if (said.length > LONGEST_WORD) end('gone');
    });
    socket.on('close', () => resolve(said.trim() === word ? 'alive' : 'gone'));
  });
}
