import type { Duplex } from 'node:stream';
import { AdbStream } from './stream.ts';
import type { StreamCarrier } from './stream.ts';
import {
  A_AUTH,
  A_CLSE,
  A_CNXN,
  A_OKAY,
  A_OPEN,
  A_STLS,
  A_WRTE,
  encodeMessage,
  MAX_PAYLOAD,
  MAX_PAYLOAD_V1,
  MessageDecoder,
  VERSION_SKIP_CHECKSUM,
} from './wire.ts';
import type { Message } from './wire.ts';

export interface MuxHandlers {
  /** The peer's CNXN: `banner` is e.g. `device::ro.product.name=x;features=shell_v2,cmd`. */
  connected(banner: string): void;
  /** AUTH or STLS: the peer wants to know who we are, or answers our question. `kind` is arg0 of AUTH, 0 for STLS. */
  authRequested(kind: number, payload: Buffer): void;
  /** The peer opens a service: what the acknowledged stream is handed to, or `null` to refuse. */
  open(service: string): Opening | Promise<Opening>;
  /** The socket is closed; `error` when it did not end by our own {@link AdbMux.close}. */
  closed(error: Error | null): void;
}

export type Opening = ((stream: AdbStream) => void) | null;

const EMPTY = Buffer.alloc(0);

/**
 * What may be under way on a stream before it is acknowledged, when both sides speak `delayed_ack`. AOSP allows 32 MB
 * (adb.h INITIAL_DELAYED_ACK_BYTES); this much is enough to fill a loopback or a cable, and is what a reader may have to keep.
 */
const WINDOW_BYTES = 1024 * 1024;

/** What an AUTH message carries (adb.h). */
export const AUTH_TOKEN = 1;
export const AUTH_SIGNATURE = 2;
export const AUTH_PUBLIC_KEY = 3;

/** One adb connection: the same code for the client and for adbd, as in AOSP's adb.cpp `handle_packet`. */
export class AdbMux implements StreamCarrier {
  maxPayload = MAX_PAYLOAD_V1;
  /** Both sides have the feature `delayed_ack`: set when the peer has said so, before any stream. */
  delayedAck = false;
  readonly #socket: Duplex;
  readonly #handlers: MuxHandlers;
  readonly #decoder = new MessageDecoder();
  readonly #streams = new Map<number, AdbStream>();
  readonly #opening = new Map<number, (stream: AdbStream | null) => void>();
  #nextId = 1;
  #withChecksum = true;
  #closed = false;

  constructor(socket: Duplex, handlers: MuxHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.on('data', (chunk: Buffer) => {
      const result = this.#decoder.push(chunk, (message) => {
        this.#handle(message);
      });
      if (!result.ok) socket.destroy(new Error(result.fault.message));
    });
    socket.on('error', (error: Error) => {
      this.#end(error);
    });
    socket.on('close', () => {
      this.#end(new Error('the connection was closed'));
    });
  }

  sendConnect(banner: string): void {
    this.#send({
      command: A_CNXN,
      arg0: VERSION_SKIP_CHECKSUM,
      arg1: MAX_PAYLOAD,
      payload: Buffer.from(banner),
    });
  }

  /** `kind` is AUTH_TOKEN and so on. */
  sendAuth(kind: number, payload: Buffer): void {
    this.#send({ command: A_AUTH, arg0: kind, arg1: 0, payload });
  }

  /** Opens a service of the peer; `null` when it refuses or the connection ends. */
  open(service: string): { readonly stream: Promise<AdbStream | null>; cancel(): void } {
    const stream = new AdbStream(this, this.#nextId++, service);
    const opened = new Promise<AdbStream | null>((resolve) => {
      if (this.#closed) {
        resolve(null);
        return;
      }
      this.#streams.set(stream.localId, stream);
      this.#opening.set(stream.localId, resolve);
      // adbd wants the service name to be terminated (adb.cpp connect_to_remote).
      this.#send({
        command: A_OPEN,
        arg0: stream.localId,
        arg1: this.delayedAck ? WINDOW_BYTES : 0,
        payload: Buffer.from(`${service}\0`),
      });
    });
    const cancel = (): void => {
      const resolve = this.#opening.get(stream.localId);
      this.#opening.delete(stream.localId);
      stream.destroy();
      resolve?.(null);
    };
    return { stream: opened, cancel };
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#end(null);
    this.#socket.destroy();
  }

  sendWrite(stream: AdbStream, payload: Buffer): void {
    this.#send({ command: A_WRTE, arg0: stream.localId, arg1: stream.remoteId, payload });
  }

  sendOkay(stream: AdbStream, bytes: number): void {
    if (this.#streams.get(stream.localId) !== stream) return;
    const payload = this.delayedAck ? Buffer.alloc(4) : EMPTY;
    if (this.delayedAck) payload.writeInt32LE(bytes);
    this.#send({ command: A_OKAY, arg0: stream.localId, arg1: stream.remoteId, payload });
  }

  sendClose(stream: AdbStream): void {
    if (this.#streams.get(stream.localId) !== stream) return;
    this.#streams.delete(stream.localId);
    this.#send({ command: A_CLSE, arg0: stream.localId, arg1: stream.remoteId, payload: EMPTY });
  }

  #send(message: Message): void {
    if (this.#closed || this.#socket.destroyed) return;
    // The peer may not know yet what we speak when it reads these, so they always have their sum (adb.cpp send_packet).
    const early = message.command === A_CNXN || message.command === A_AUTH;
    this.#socket.write(encodeMessage(message, this.#withChecksum || early));
  }

  #handle(message: Message): void {
    switch (message.command) {
      case A_CNXN:
        this.#onConnect(message);
        break;
      case A_AUTH:
      case A_STLS:
        this.#handlers.authRequested(message.command === A_AUTH ? message.arg0 : 0, message.payload);
        break;
      case A_OPEN:
        void this.#onOpen(message);
        break;
      case A_OKAY:
        this.#onOkay(message);
        break;
      case A_WRTE:
        this.#onWrite(message);
        break;
      case A_CLSE:
        this.#onClose(message);
        break;
      default:
        // handle_packet in adb.cpp ignores what it does not know, too.
        break;
    }
  }

  #onConnect({ arg0, arg1, payload }: Message): void {
    this.maxPayload = Math.max(1, Math.min(arg1, MAX_PAYLOAD));
    const skip = arg0 >= VERSION_SKIP_CHECKSUM;
    this.#withChecksum = !skip;
    this.#decoder.verifyChecksum = !skip;
    this.#handlers.connected(payload.toString('utf8').replace(/\0+$/, ''));
  }

  async #onOpen({ arg0: remoteId, arg1: window, payload }: Message): Promise<void> {
    const service = payload.toString('utf8').replace(/\0+$/, '');
    const opening = remoteId === 0 ? null : this.#handlers.open(service);
    // The peer sends nothing on this stream before it is acknowledged, so there is time to look.
    const opened = opening instanceof Promise ? await opening : opening;
    if (!opened) {
      this.#send({ command: A_CLSE, arg0: 0, arg1: remoteId, payload: EMPTY });
      return;
    }
    const stream = new AdbStream(this, this.#nextId++, service);
    stream.remoteId = remoteId;
    if (this.delayedAck) stream.acknowledged(window);
    if (this.#closed) {
      // It ended meanwhile: what was opened hears of it as of any other end.
      opened(stream);
      stream.peerClosed(new Error('the connection was closed'));
      return;
    }
    this.#streams.set(stream.localId, stream);
    this.sendOkay(stream, WINDOW_BYTES);
    opened(stream);
  }

  #onOkay({ arg0: remoteId, arg1: localId, payload }: Message): void {
    const stream = this.#streams.get(localId);
    if (!stream) {
      // A stream that we have given up meanwhile: the peer must not keep its end (adb.cpp handle_packet).
      this.#send({ command: A_CLSE, arg0: localId, arg1: remoteId, payload: EMPTY });
      return;
    }
    const opening = this.#opening.get(localId);
    if (opening) {
      this.#opening.delete(localId);
      stream.remoteId = remoteId;
      if (this.delayedAck) stream.acknowledged(acknowledgedBytes(payload));
      opening(stream);
    } else if (stream.remoteId === remoteId) stream.acknowledged(acknowledgedBytes(payload));
  }

  #onWrite({ arg0: remoteId, arg1: localId, payload }: Message): void {
    const stream = this.#streams.get(localId);
    if (stream && stream.remoteId === remoteId) stream.receive(payload);
    else this.#send({ command: A_CLSE, arg0: localId, arg1: remoteId, payload: EMPTY });
  }

  #onClose({ arg1: localId }: Message): void {
    const stream = this.#streams.get(localId);
    if (!stream) return;
    const opening = this.#opening.get(localId);
    if (opening) {
      this.#opening.delete(localId);
      this.#streams.delete(localId);
      opening(null);
      return;
    }
    // Both sides say CLSE; the stream is forgotten with ours.
    this.sendClose(stream);
    stream.peerClosed(null);
  }

  #end(error: Error | null): void {
    if (this.#closed) return;
    this.#closed = true;
    const opening = new Map(this.#opening);
    this.#opening.clear();
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) {
      // Nobody has one that is still being opened, so nobody would hear its error.
      if (opening.has(stream.localId)) stream.destroy();
      else stream.peerClosed(error ?? new Error('the connection was closed'));
    }
    for (const resolve of opening.values()) resolve(null);
    this.#handlers.closed(error);
  }
}

/** With `delayed_ack` an OKAY says how many bytes it is for. */
function acknowledgedBytes(payload: Buffer): number {
  return payload.length === 4 ? payload.readInt32LE(0) : 0;
}
