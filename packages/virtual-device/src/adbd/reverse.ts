import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { AdbMux } from '../../../jugg/src/adb/mux.ts';
import type { AdbStream } from '../../../jugg/src/adb/stream.ts';
import { couple, socketFile } from './socket-service.ts';

interface Listener {
  readonly local: string;
  readonly remote: string;
  /** `null` where apps reach the host's port as it is. */
  readonly server: Server | null;
  readonly file: string | null;
}

type Bound = { readonly listener: Listener; readonly port: number | null } | { readonly problem: string };

/** Listeners on the device whose connections are handed to the client's machine (`adb reverse`); they end with the client. */
export class ReverseForwards {
  readonly #client: AdbMux;
  readonly #socketDir: string;
  readonly #listeners = new Map<string, Listener>();

  constructor(client: AdbMux, socketDir: string) {
    this.#client = client;
    this.#socketDir = socketDir;
  }

  /** Answers `reverse:<command>` on its stream (AOSP adb.cpp `handle_forward_request` on the device). */
  async serve(stream: AdbStream, command: string): Promise<void> {
    stream.on('error', () => {});
    stream.end(await this.#answer(command));
  }

  async close(): Promise<void> {
    for (const listener of this.#listeners.values()) await remove(listener);
    this.#listeners.clear();
  }

  async #answer(command: string): Promise<string> {
    if (command === 'list-forward') {
      const lines = [...this.#listeners.values()].map(
        ({ local, remote }) => `(reverse) ${local} ${remote}\n`,
      );
      return withLength(lines.join(''));
    }
    if (command === 'killforward-all') {
      await this.close();
      return 'OKAY';
    }
    const [verb = '', rest = ''] = command.split(/:(.*)/s);
    if (verb === 'killforward') return this.#remove(rest);
    if (verb !== 'forward') return failure(`unknown command: ${command}`);
    const keep = rest.startsWith('norebind:');
    const [local = '', remote = ''] = (keep ? rest.slice('norebind:'.length) : rest).split(/;(.*)/s);
    if (local === '' || remote === '') return failure(`bad forward: ${command}`);
    return this.#add(local, remote, keep);
  }

  async #add(local: string, remote: string, keep: boolean): Promise<string> {
    const old = this.#listeners.get(local);
    if (old && keep) return failure('cannot rebind existing socket');
    if (old) {
      await remove(old);
      this.#listeners.delete(local);
    }
    const bound = await this.#bind(local, remote);
    if ('problem' in bound) return failure(bound.problem);
    const name = bound.port === null ? local : `tcp:${bound.port}`;
    this.#listeners.set(name, { ...bound.listener, local: name });
    return `OKAY${bound.port === null ? '' : withLength(String(bound.port))}`;
  }

  async #remove(local: string): Promise<string> {
    const listener = this.#listeners.get(local);
    if (!listener) return failure(`listener '${local}' not found`);
    this.#listeners.delete(local);
    await remove(listener);
    return 'OKAY';
  }

  async #bind(local: string, remote: string): Promise<Bound> {
    const server = createServer((socket) => void this.#connected(socket, remote));
    const abstract = /^localabstract:(.+)$/s.exec(local)?.[1];
    const port = /^tcp:(\d{1,5})$/.exec(local)?.[1];
    if (abstract !== undefined && process.platform !== 'win32') {
      const file = socketFile(this.#socketDir, abstract);
      const problem = await listen(server, { path: file });
      if (problem !== null) return { problem: `cannot bind listener: ${problem}` };
      return { listener: { local, remote, server, file }, port: null };
    }
    if (port === undefined) return { problem: `cannot bind listener: unsupported socket ${local}` };
    const problem = await listen(server, { host: '127.0.0.1', port: Number(port) });
    // Device and host share one loopback here: an app that connects to this port reaches the host's already.
    if (problem === 'EADDRINUSE' && remote === local)
      return { listener: { local, remote, server: null, file: null }, port: Number(port) };
    if (problem !== null) return { problem: `cannot bind listener: ${problem}` };
    const address = server.address();
    const real = typeof address === 'object' && address ? address.port : Number(port);
    return { listener: { local, remote, server, file: null }, port: real };
  }

  async #connected(socket: Socket, remote: string): Promise<void> {
    socket.on('error', () => socket.destroy());
    const stream = await this.#client.open(remote).stream;
    if (stream) couple(stream, socket);
    else socket.destroy();
  }
}

/** `null` when it listens, else the name of the error. */
function listen(
  server: Server,
  where: { path: string } | { host: string; port: number },
): Promise<string | null> {
  return new Promise((resolve) => {
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    server.listen(where, () => resolve(null));
  });
}

async function remove({ server, file }: Listener): Promise<void> {
  if (server) {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      // Connections that are made live on, as on a phone; nobody waits for their end.
      setImmediate(resolve);
    });
  }
  if (file !== null) await rm(file, { force: true });
}

/** A protocol string: four hex digits of length, then the text. */
function withLength(text: string): string {
  return Buffer.byteLength(text).toString(16).padStart(4, '0') + text;
}

function failure(message: string): string {
  return `FAIL${withLength(message)}`;
}
