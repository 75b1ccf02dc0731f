import type { ByteSink, ByteSource } from '../io/bytes.ts';

/** The three streams that a command has. */
export interface Stdio {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
}

/** A source that takes back what its reader did not need: `read` takes one line of what came. */
export interface SharedSource extends ByteSource {
  unread(data: Buffer): void;
}

/** What is open under a number; those of files are counted, as a subshell may outlive who opened them. */
export interface Descriptor {
  readonly source?: SharedSource;
  readonly sink?: ByteSink;
  readonly file?: CountedFile;
}

/** A stream that is not there: `>&-`. */
export const CLOSED_SINK: ByteSink = { write: () => Promise.resolve(false) };
const CLOSED_SOURCE: ByteSource = { read: () => Promise.resolve(null), close: () => {} };

/** Closes when nobody has it open any more. */
export class CountedFile {
  #users = 0;
  readonly #close: () => Promise<void>;

  constructor(close: () => Promise<void>) {
    this.#close = close;
  }

  retain(): void {
    this.#users++;
  }

  async release(): Promise<void> {
    if (--this.#users === 0) await this.#close();
  }
}

/** The open streams of one shell, by their numbers. */
export class Descriptors {
  readonly #open = new Map<number, Descriptor>();

  static of({ stdin, stdout, stderr }: Stdio): Descriptors {
    const all = new Descriptors();
    all.#open.set(0, { source: shared(stdin) });
    all.#open.set(1, { sink: stdout });
    all.#open.set(2, { sink: stderr });
    return all;
  }

  /** For a subshell; what the parent has open stays open until both are done with it. */
  copy(changes: Partial<Stdio> = {}): Descriptors {
    const copy = new Descriptors();
    const { stdin, stdout, stderr } = changes;
    const own: readonly (readonly [number, Descriptor])[] = [
      ...(stdin ? [[0, { source: shared(stdin) }] as const] : []),
      ...(stdout ? [[1, { sink: stdout }] as const] : []),
      ...(stderr ? [[2, { sink: stderr }] as const] : []),
    ];
    for (const [fd, descriptor] of new Map([...this.#open, ...own])) copy.#put(fd, descriptor);
    return copy;
  }

  get(fd: number): Descriptor | undefined {
    return this.#open.get(fd);
  }

  /** Undefined closes it. The value is what was there, to be put back with {@link restore}. */
  replace(fd: number, descriptor: Descriptor | undefined): Descriptor | undefined {
    const before = this.#open.get(fd);
    this.#put(fd, descriptor);
    return before;
  }

  /** Puts back what {@link replace} gave. */
  async restore(fd: number, before: Descriptor | undefined): Promise<void> {
    const now = this.#open.get(fd);
    if (before) this.#open.set(fd, before);
    else this.#open.delete(fd);
    await now?.file?.release();
  }

  /** What {@link replace} gave is not put back: `exec`. */
  async forget(before: Descriptor | undefined): Promise<void> {
    await before?.file?.release();
  }

  /** Of a shell that ends. */
  async closeAll(): Promise<void> {
    const files = [...this.#open.values()].map(({ file }) => file);
    this.#open.clear();
    for (const file of files) await file?.release();
  }

  stdio(): Stdio {
    return {
      stdin: this.#open.get(0)?.source ?? CLOSED_SOURCE,
      stdout: this.#open.get(1)?.sink ?? CLOSED_SINK,
      stderr: this.#open.get(2)?.sink ?? CLOSED_SINK,
    };
  }

  #put(fd: number, descriptor: Descriptor | undefined): void {
    descriptor?.file?.retain();
    if (descriptor) this.#open.set(fd, descriptor);
    else this.#open.delete(fd);
  }
}

const wrapped = new WeakMap<ByteSource, SharedSource>();

/** The same one for the same source: what one reader left is there for the next. */
export function shared(source: ByteSource): SharedSource {
  if ('unread' in source) return source as SharedSource;
  const known = wrapped.get(source);
  if (known) return known;
  let rest: Buffer | null = null;
  const made: SharedSource = {
    async read() {
      const now = rest;
      rest = null;
      return now ?? source.read();
    },
    unread(data) {
      if (data.length > 0) rest = rest ? Buffer.concat([data, rest]) : data;
    },
    close: () => source.close(),
  };
  wrapped.set(source, made);
  return made;
}
