import { Transform, type TransformCallback } from 'node:stream';
import { BODY_LIMIT_BYTES, parseMessage, type Refusal } from './http-body.ts';

const NEWLINE = 0x0a;

/**
 * Lets through lines that are JSON-RPC messages, and has the others answered: the SDK drops those without a word, and
 * their sender waits for ever. MCP's stdio transport: one message a line, ended by LF, without line breaks inside.
 */
export class MessageLines extends Transform {
  readonly #refuse: (refusal: Refusal, id: string | number | null) => void;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** The rest of a line that was too long is thrown away. */
  #skipping = false;

  constructor(refuse: (refusal: Refusal, id: string | number | null) => void) {
    super();
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    done();
  }

  #keep(bytes: Buffer): void {
    if (this.#skipping || bytes.length === 0) return;
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes <= BODY_LIMIT_BYTES) {
      this.#pending.push(bytes);
      return;
    }
    this.#skipping = true;
    this.#pending = [];
    const message = `The message is larger than ${BODY_LIMIT_BYTES} bytes`;
    this.#refuse({ status: 413, code: -32600, message }, null);
  }

  #endLine(): void {
    const line = Buffer.concat(this.#pending);
    const skipped = this.#skipping;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#skipping = false;
    if (skipped || line.toString('latin1').trim() === '') return;
    const parsed = parseMessage(line);
    if (parsed.kind === 'message') this.push(Buffer.concat([line, Buffer.of(NEWLINE)]));
    else this.#refuse(parsed.refusal, idIn(line));
  }
}

/** The id of a message that is JSON but not JSON-RPC, so that its sender knows which one it was. */
function idIn(line: Buffer): string | number | null {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (typeof value !== 'object' || value === null || !('id' in value)) return null;
    return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
  } catch {
    return null;
  }
}
