import { close, read } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import yauzl from 'yauzl';

const readFile = promisify(read);

/** The directory of a framework with 71,000 entries is 7 MB. */
const WINDOW = 1 << 20;

/** Reads a file for yauzl, which asks for a few bytes at a time: two system calls for each entry of a zip. */
export class WindowReader extends yauzl.RandomAccessReader {
  readonly #fd: number;
  #window = Buffer.alloc(0);
  #start = 0;

  constructor(fd: number) {
    super();
    this.#fd = fd;
  }

  /** Not a stream of the file itself, which would close it when it is destroyed. */
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#chunks(start, end), { objectMode: false });
  }

  async *#chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const chunk = Buffer.alloc(Math.min(WINDOW, end - at));
      const { bytesRead } = await readFile(this.#fd, chunk, 0, chunk.length, at);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const copy = (): boolean => {
      const from = position - this.#start;
      if (from < 0 || from + length > this.#window.length) return false;
      this.#window.copy(buffer, offset, from, from + length);
      return true;
    };
    if (copy()) return callback(null);
    const window = Buffer.alloc(Math.max(WINDOW, length));
    read(this.#fd, window, 0, window.length, position, (error, count) => {
      if (error !== null) return callback(error);
      this.#window = window.subarray(0, count);
      this.#start = position;
      callback(copy() ? null : new Error('unexpected end of file'));
    });
  }

  override close(callback: (error: Error | null) => void): void {
    close(this.#fd, (error) => callback(error ?? null));
  }
}
