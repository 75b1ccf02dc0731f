import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Opening } from '../../../jugg/src/adb/mux.ts';
import type { AdbStream } from '../../../jugg/src/adb/stream.ts';

type Address = { readonly path: string } | { readonly host: string; readonly port: number };

/** The file of an abstract socket: letters, digits, `.`, `-` and `_` stay, each other UTF-16 unit becomes `%hhhh`. */
export function socketFile(socketDir: string, name: string): string {
  const encoded = name.replaceAll(
    /[^A-Za-z0-9._-]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return join(socketDir, `${encoded}.sock`);
}

/** Connects to an app's abstract socket first: nobody there is a refusal, as on a phone. */
export async function openAbstract(socketDir: string, name: string): Promise<Opening> {
  const file = socketFile(socketDir, name);
  if (process.platform !== 'win32') return openSocket({ path: file });
  // Without Unix sockets the file holds a port and a secret that comes first (docs/app-process-protocol.md).
  const text = await readFile(file, 'utf8').catch(() => '');
  const [port = '', secret = ''] = text.trim().split(' ');
  return port === '' ? null : openSocket({ host: '127.0.0.1', port: Number(port) }, `${secret}\n`);
}

/** Connects a stream to a socket of this machine; `null` when nobody listens. */
export async function openSocket(address: Address, greeting = ''): Promise<Opening> {
  const socket = connect(address);
  socket.setNoDelay(true);
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  if (!connected) return null;
  if (greeting !== '') socket.write(greeting);
  return (stream) => couple(stream, socket);
}

/** Hands each side what comes from the other, and ends both together. */
export function couple(stream: AdbStream, socket: Socket): void {
  const end = (): void => {
    socket.destroy();
    stream.destroy();
  };
  stream.on('error', end);
  socket.on('error', end);
  // The client hung up: what it sent before is still handed over, as the pipe ends the socket with the stream.
  stream.once('close', () => socket.end());
  stream.pipe(socket);
  socket.pipe(stream);
}
