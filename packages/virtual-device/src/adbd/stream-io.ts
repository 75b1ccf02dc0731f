import type { Duplex } from 'node:stream';
import type { ByteSink, ByteSource } from '../io/bytes.ts';

/** The reading side of a stream; pauses the peer while nobody reads. */
export function streamSource(stream: Duplex): ByteSource {
  const iterator: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  let closed = false;
  return {
    async read() {
      if (closed) return null;
      try {
        const { done, value } = await iterator.next();
        return done ? null : value;
      } catch {
        // The connection went away: for the command, the end of its input.
        return null;
      }
    },
    close() {
      closed = true;
    },
  };
}

/** The writing side; each write waits until the peer has taken it. `frame` may wrap the bytes. */
export function streamSink(stream: Duplex, frame: (data: Buffer) => Buffer = (data) => data): ByteSink {
  return {
    write(data) {
      // Whoever writes waits for the end of it: bytes need no copy.
      const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data);
      if (stream.destroyed || stream.writableEnded) return Promise.resolve(false);
      if (bytes.length === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        stream.write(frame(bytes), (error) => resolve(!error && !stream.destroyed));
      });
    },
  };
}
