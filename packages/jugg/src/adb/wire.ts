import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';

/**
 * The message layer of adb (AOSP packages/modules/adb, protocol.txt and adb.h): a header of six little-endian words,
 * `command, arg0, arg1, length, checksum, command ^ 0xffffffff`, followed by `length` bytes. Used by both sides.
 */

const word = (name: string): number => Buffer.from(name, 'latin1').readUInt32LE(0);

export const A_CNXN = word('CNXN');
export const A_AUTH = word('AUTH');
export const A_STLS = word('STLS');
export const A_OPEN = word('OPEN');
export const A_OKAY = word('OKAY');
export const A_WRTE = word('WRTE');
export const A_CLSE = word('CLSE');

export const HEADER_SIZE = 24;
/** The version spoken here. From it on (adb.h A_VERSION_SKIP_CHECKSUM) nobody fills in or looks at the checksum. */
export const VERSION_SKIP_CHECKSUM = 0x01000001;
/** adb.h MAX_PAYLOAD_V1: what may be sent before the peer has said what it takes. */
export const MAX_PAYLOAD_V1 = 4096;
export const MAX_PAYLOAD = 1024 * 1024;

export interface Message {
  readonly command: number;
  readonly arg0: number;
  readonly arg1: number;
  readonly payload: Buffer;
}

/** The sum of all bytes, modulo 2^32; adb calls it a crc32, which it is not. */
export function checksum(payload: Uint8Array): number {
  let sum = 0;
  for (const byte of payload) sum = (sum + byte) >>> 0;
  return sum;
}

/** The four letters of a command, for messages to people. */
export function commandName(command: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(command);
  return bytes.toString('latin1').replaceAll(/[^A-Z]/g, '?');
}

/** `withChecksum` until the peer is known to speak {@link VERSION_SKIP_CHECKSUM}. */
export function encodeMessage(message: Message, withChecksum: boolean): Buffer {
  const { command, arg0, arg1, payload } = message;
  const out = Buffer.allocUnsafe(HEADER_SIZE + payload.length);
  out.writeUInt32LE(command, 0);
  out.writeUInt32LE(arg0 >>> 0, 4);
  out.writeUInt32LE(arg1 >>> 0, 8);
  out.writeUInt32LE(payload.length, 12);
  out.writeUInt32LE(withChecksum ? checksum(payload) : 0, 16);
  out.writeUInt32LE((command ^ 0xffffffff) >>> 0, 20);
  payload.copy(out, HEADER_SIZE);
  return out;
}

/** Cuts a byte stream into messages, however it is chopped. After a fault the stream is of no more use. */
export class MessageDecoder {
  /** Whether checksums must hold; switched off once both sides speak {@link VERSION_SKIP_CHECKSUM}. */
  verifyChecksum = true;
  readonly #header = Buffer.alloc(HEADER_SIZE);
  #headerFilled = 0;
  #payload: Buffer | null = null;
  #payloadFilled = 0;
  readonly #maxPayload: number;

  constructor(maxPayload: number = MAX_PAYLOAD) {
    this.#maxPayload = maxPayload;
  }

  /** Hands each complete message to `emit`, in order; `emit` may switch {@link verifyChecksum}. */
  push(chunk: Buffer, emit: (message: Message) => void): Result<void> {
    let offset = 0;
    while (offset < chunk.length || this.#complete()) {
      if (this.#payload === null) {
        offset += this.#fillHeader(chunk, offset);
        if (this.#headerFilled < HEADER_SIZE) break;
        const bad = this.#startPayload();
        if (bad) return fail('DEVICE_OFFLINE', `Not an adb stream: ${bad}.`);
      } else {
        offset += this.#fillPayload(this.#payload, chunk, offset);
      }
      if (this.#payload && this.#complete()) {
        const message = this.#finish(this.#payload);
        if (!message) return fail('DEVICE_OFFLINE', 'Not an adb stream: wrong checksum.');
        emit(message);
      }
    }
    return ok(undefined);
  }

  #complete(): boolean {
    return this.#payload !== null && this.#payloadFilled === this.#payload.length;
  }

  #fillHeader(chunk: Buffer, offset: number): number {
    const taken = chunk.copy(
      this.#header,
      this.#headerFilled,
      offset,
      offset + HEADER_SIZE - this.#headerFilled,
    );
    this.#headerFilled += taken;
    return taken;
  }

  #startPayload(): string | null {
    const command = this.#header.readUInt32LE(0);
    const length = this.#header.readUInt32LE(12);
    if ((command ^ 0xffffffff) >>> 0 !== this.#header.readUInt32LE(20)) return 'wrong magic';
    if (length > this.#maxPayload) return `a message of ${length} bytes`;
    this.#payload = Buffer.allocUnsafe(length);
    this.#payloadFilled = 0;
    return null;
  }

  #fillPayload(payload: Buffer, chunk: Buffer, offset: number): number {
    const taken = chunk.copy(payload, this.#payloadFilled, offset);
    this.#payloadFilled += taken;
    return taken;
  }

  #finish(payload: Buffer): Message | null {
    const header = this.#header;
    this.#payload = null;
    this.#headerFilled = 0;
    const command = header.readUInt32LE(0);
    const sum = header.readUInt32LE(16);
    // Some peers leave the sum out from their very first message on, as they speak the newer version.
    const left = command === A_CNXN && sum === 0;
    if (this.verifyChecksum && !left && sum !== checksum(payload)) return null;
    return {
      command,
      arg0: header.readUInt32LE(4),
      arg1: header.readUInt32LE(8),
      payload,
    };
  }
}
