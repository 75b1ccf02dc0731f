/** Where a command reads from. `null` is the end. */
export interface ByteSource {
  read(): Promise<Buffer | null>;
  /** The reader wants no more: writers learn of it. */
  close(): void;
}

/** Where a command writes to. */
export interface ByteSink {
  /** False when nobody reads any more (what SIGPIPE tells a real process): the writer should end. */
  write(data: string | Uint8Array): Promise<boolean>;
}

export const EMPTY_SOURCE: ByteSource = {
  read: () => Promise.resolve(null),
  close: () => {},
};

export function bufferSource(data: Uint8Array): ByteSource {
  let rest: Buffer | null = data.length > 0 ? Buffer.from(data) : null;
  return {
    read() {
      const now = rest;
      rest = null;
      return Promise.resolve(now);
    },
    close() {
      rest = null;
    },
  };
}

/** Collects what is written. */
export class BufferSink implements ByteSink {
  readonly #chunks: Buffer[] = [];

  write(data: string | Uint8Array): Promise<boolean> {
    this.#chunks.push(Buffer.from(data));
    return Promise.resolve(true);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  text(): string {
    return this.bytes().toString('utf8');
  }
}

export async function readAll(source: ByteSource): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let chunk = await source.read(); chunk !== null; chunk = await source.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Lines without their ends; a last line without an end counts. */
export async function* readLines(source: ByteSource): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for (let chunk = await source.read(); chunk !== null; chunk = await source.read()) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
