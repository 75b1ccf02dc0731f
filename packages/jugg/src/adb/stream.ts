import { Duplex } from 'node:stream';

/** What a stream needs of the connection that carries it. */
export interface StreamCarrier {
  readonly maxPayload: number;
  readonly delayedAck: boolean;
  sendWrite(stream: AdbStream, payload: Buffer): void;
  /** `bytes` have been taken by the reader. */
  sendOkay(stream: AdbStream, bytes: number): void;
  /** Tells the peer, once, and forgets the stream. */
  sendClose(stream: AdbStream): void;
}

/**
 * One stream of an adb connection. Flow control is one message at a time: after WRTE nothing is sent until the peer's
 * OKAY, and our OKAY is held back while nobody reads. With `delayed_ack` it is a window of bytes instead, which each
 * OKAY widens by what was read. There is no half-close in adb: `end()` closes the stream once
 * all that was written is acknowledged.
 */
export class AdbStream extends Duplex {
  readonly localId: number;
  remoteId = 0;
  readonly service: string;
  readonly #carrier: StreamCarrier;
  #pending: Buffer = Buffer.alloc(0);
  #written: ((error?: Error | null) => void) | null = null;
  /** Bytes that were received and not acknowledged, as nobody reads. */
  #owed: number | null = null;
  /** With `delayed_ack`: what may be sent. */
  #window = 0;
  #peerClosed = false;

  constructor(carrier: StreamCarrier, localId: number, service: string) {
    super({ allowHalfOpen: false, readableHighWaterMark: 1024 * 1024 });
    this.#carrier = carrier;
    this.localId = localId;
    this.service = service;
  }

  /** WRTE from the peer. */
  receive(payload: Buffer): void {
    if (this.push(payload)) this.#carrier.sendOkay(this, payload.length);
    else this.#owed = (this.#owed ?? 0) + payload.length;
  }

  /** OKAY from the peer: it is ready for the next message, or for `bytes` more. */
  acknowledged(bytes: number): void {
    this.#window += bytes;
    this.#goOn();
  }

  #goOn(): void {
    const done = this.#written;
    if (!done) return;
    if (this.#pending.length > 0) this.#sendNext();
    else {
      this.#written = null;
      done();
    }
  }

  /** CLSE from the peer, or the end of the connection when there is an error. */
  peerClosed(error: Error | null): void {
    if (this.#peerClosed) return;
    this.#peerClosed = true;
    if (error) {
      this.destroy(error);
      return;
    }
    const done = this.#written;
    this.#written = null;
    this.#pending = Buffer.alloc(0);
    this.push(null);
    // What could not be sent any more is not an error of the reader's: it still gets all that came before.
    done?.();
    // 'end' comes only once all is read; a service must hear of the close also while it reads nothing.
    this.emit('peerClose');
  }

  override _read(): void {
    const owed = this.#owed;
    if (owed === null) return;
    this.#owed = null;
    this.#carrier.sendOkay(this, owed);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    if (this.#peerClosed || chunk.length === 0) {
      callback();
      return;
    }
    this.#pending = chunk;
    this.#written = callback;
    this.#sendNext();
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#carrier.sendClose(this);
    callback();
    // No half-close: nothing can come any more.
    if (!this.#peerClosed) this.peerClosed(null);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#carrier.sendClose(this);
    const done = this.#written;
    this.#written = null;
    callback(error);
    // Whoever waits for a write hears that it will never be acknowledged; Node tells only those that are in its queue.
    done?.(error ?? new Error('the stream was closed'));
  }

  #sendNext(): void {
    if (this.#carrier.delayedAck) {
      this.#sendWindow();
      return;
    }
    const part = this.#pending.subarray(0, this.#carrier.maxPayload);
    this.#pending = this.#pending.subarray(part.length);
    this.#carrier.sendWrite(this, part);
  }

  #sendWindow(): void {
    while (this.#pending.length > 0 && this.#window > 0) {
      const part = this.#pending.subarray(0, Math.min(this.#carrier.maxPayload, this.#window));
      this.#pending = this.#pending.subarray(part.length);
      this.#window -= part.length;
      this.#carrier.sendWrite(this, part);
    }
    // The window has room for the next write already.
    if (this.#pending.length === 0) this.#goOn();
  }
}
