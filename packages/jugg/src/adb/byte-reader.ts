import type { Readable } from 'node:stream';

/** Reads exact numbers of bytes from a stream. `null` means that it ended before they came. */
export class ByteReader {
  readonly #iterator: AsyncIterator<Buffer>;
  #buffered: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  async exactly(length: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    let last = this.#buffered;
    let missing = length;
    while (last.length < missing) {
      parts.push(last);
      missing -= last.length;
      const chunk = await this.#next();
      if (chunk === null) return null;
      last = chunk;
    }
    this.#buffered = last.subarray(missing);
    const end = last.subarray(0, missing);
    // What is left of a large chunk is not copied with what is asked for.
    return parts.length === 0 ? end : Buffer.concat([...parts, end], length);
  }

  /** All that comes until the stream ends. */
  async rest(): Promise<Buffer> {
    const parts = [this.#buffered];
    for (let chunk = await this.#next(); chunk !== null; chunk = await this.#next()) parts.push(chunk);
    this.#buffered = Buffer.alloc(0);
    return Buffer.concat(parts);
  }

  async #next(): Promise<Buffer | null> {
    try {
      const { done, value } = await this.#iterator.next();
      return done ? null : value;
    } catch {
      // The stream was destroyed: for a reader, the same as its end.
      return null;
    }
  }
}
