import type { Readable } from 'node:stream';

/** Reads exact numbers of bytes from a stream. `null` means that it ended before they came. */
export class ByteReader {
  readonly #iterator: AsyncIterator<Buffer>;
  #buffered: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  async exactly(length: number): Promise<Buffer | null> {
    const parts = [this.#buffered];
    let have = this.#buffered.length;
    while (have < length) {
      const chunk = await this.#next();
      if (chunk === null) return null;
      parts.push(chunk);
      have += chunk.length;
    }
    const all = parts.length === 1 ? this.#buffered : Buffer.concat(parts, have);
    this.#buffered = all.subarray(length);
    return all.subarray(0, length);
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
