import { connect } from 'node:net';
import type { AdbStream } from '../../../jugg/src/adb/stream.ts';

/** Connects a stream to a socket on this machine; the stream ends at once when nobody listens. */
export function serveSocket(
  stream: AdbStream,
  address: { path: string } | { host: string; port: number },
): void {
  const socket = connect(address);
  socket.setNoDelay(true);
  const end = (): void => {
    socket.destroy();
    stream.destroy();
  };
  stream.on('error', end);
  socket.on('error', end);
  stream.once('peerClose', () => {
    // What the client sent before it closed is still handed over.
    stream.once('end', () => socket.end());
    stream.once('close', () => socket.end());
  });
  stream.pipe(socket);
  socket.pipe(stream);
}
