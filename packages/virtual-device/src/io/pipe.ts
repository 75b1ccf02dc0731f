import type { ByteSink, ByteSource } from './bytes.ts';

/** As much as a Linux pipe holds. */
const CAPACITY = 64 * 1024;

/** A pipe between two commands: bounded, and each side hears when the other is gone. */
export class Pipe implements ByteSource, ByteSink {
  readonly #queue: Buffer[] = [];
  #size = 0;
  #ended = false;
  #readerGone = false;
  #wakeReader: (() => void) | null = null;
  #wakeWriters: (() => void)[] = [];

  async write(data: string | Uint8Array): Promise<boolean> {
    const chunk = Buffer.from(data);
    if (chunk.length === 0) return !this.#readerGone;
    while (this.#size >= CAPACITY && !this.#readerGone && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wakeWriters.push(resolve);
      });
    }
    if (this.#readerGone || this.#ended) return false;
    this.#queue.push(chunk);
    this.#size += chunk.length;
    this.#wake();
    return true;
  }

  async read(): Promise<Buffer | null> {
    while (this.#queue.length === 0 && !this.#ended && !this.#readerGone) {
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
    const chunk = this.#queue.shift() ?? null;
    if (chunk) {
      this.#size -= chunk.length;
      this.#release();
    }
    return chunk;
  }

  /** The writer is done. */
  end(): void {
    this.#ended = true;
    this.#wake();
    this.#release();
  }

  /** The reader is done. */
  close(): void {
    this.#readerGone = true;
    this.#queue.length = 0;
    this.#size = 0;
    this.#wake();
    this.#release();
  }

  #wake(): void {
    const wake = this.#wakeReader;
    this.#wakeReader = null;
    wake?.();
  }

  #release(): void {
    const waiting = this.#wakeWriters;
    this.#wakeWriters = [];
    for (const wake of waiting) wake();
  }
}
