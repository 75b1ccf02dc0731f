import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Opening } from '../../../jugg/src/adb/mux.ts';
import type { AdbStream } from '../../../jugg/src/adb/stream.ts';
import { ddmAnswer, ddmReply, HANDSHAKE, JdwpDecoder } from './jdwp-packets.ts';
import type { DebuggedApp, JdwpPacket } from './jdwp-packets.ts';

/** An app that may be debugged. */
export interface DebuggableApp extends DebuggedApp {
  /** The port of this machine that its JVM listens on for a debugger; null when it does not. */
  listen(): Promise<number | null>;
  attached(attached: boolean): void;
}

/** The processes that somebody is connected to: as on a phone, one at a time. */
const busy = new Set<number>();

/**
 * `jdwp:<pid>`. What Android's tools ask each process that they see (`HELO`) is answered here; the JVM's own debugger interface,
 * which slows it down, starts with the first real command.
 */
export function openJdwp(app: DebuggableApp | null): Opening {
  if (!app || busy.has(app.pid)) return null;
  return (stream) => {
    busy.add(app.pid);
    const session = new JdwpSession(stream, app);
    stream.on('error', () => stream.destroy());
    stream.once('peerClose', () => session.end());
    stream.once('close', () => {
      busy.delete(app.pid);
      session.end();
    });
    stream.on('data', (data: Buffer) => session.take(data));
  };
}

class JdwpSession {
  readonly #stream: AdbStream;
  readonly #app: DebuggableApp;
  readonly #decoder = new JdwpDecoder();
  #greeting = Buffer.alloc(0);
  #greeted = false;
  #vm: Promise<Socket | null> | null = null;
  #ended = false;

  constructor(stream: AdbStream, app: DebuggableApp) {
    this.#stream = stream;
    this.#app = app;
  }

  take(data: Buffer): void {
    if (this.#greeted) return this.#packets(data);
    this.#greeting = Buffer.concat([this.#greeting, data]);
    if (this.#greeting.length < HANDSHAKE.length) return;
    if (!this.#greeting.subarray(0, HANDSHAKE.length).equals(HANDSHAKE)) {
      this.#stream.destroy();
      return;
    }
    this.#greeted = true;
    this.#stream.write(HANDSHAKE);
    this.#packets(this.#greeting.subarray(HANDSHAKE.length));
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    void this.#vm?.then((socket) => socket?.end());
    if (this.#vm) this.#app.attached(false);
  }

  #packets(data: Buffer): void {
    const packets = this.#decoder.push(data);
    if (packets === null) this.#stream.destroy();
    for (const packet of packets ?? []) this.#packet(packet);
  }

  #packet({ bytes, id, chunk }: JdwpPacket): void {
    if (chunk) {
      this.#stream.write(ddmReply(id, chunk.type, ddmAnswer(chunk.type, this.#app)));
      return;
    }
    this.#vm ??= this.#attach();
    void this.#vm.then((socket) => socket?.write(bytes));
  }

  async #connect(): Promise<Socket | null> {
    for (let attempt = 0; attempt < ATTEMPTS && !this.#ended; attempt++) {
      if (attempt > 0) await setTimeout(PAUSE_MS);
      const port = await this.#app.listen();
      if (port === null) return null;
      const socket = await greetedSocket(port);
      if (socket) return socket;
    }
    return null;
  }

  async #attach(): Promise<Socket | null> {
    this.#app.attached(true);
    const socket = await this.#connect();
    if (!socket || this.#ended) {
      socket?.destroy();
      this.#stream.destroy();
      return null;
    }
    socket.on('data', (data: Buffer) => void this.#stream.write(data));
    socket.on('error', () => {});
    socket.once('close', () => this.#stream.destroy());
    socket.resume();
    return socket;
  }
}

/** A JVM that has just lost a debugger needs a moment to listen again. */
const ATTEMPTS = 10;
const PAUSE_MS = 100;

/** Connects to a JVM and shakes hands; null when it does not answer so. */
async function greetedSocket(port: number): Promise<Socket | null> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.setNoDelay(true);
  const greeted = await new Promise<boolean>((resolve) => {
    let got = Buffer.alloc(0);
    const onData = (data: Buffer): void => {
      got = Buffer.concat([got, data]);
      if (got.length < HANDSHAKE.length) return;
      socket.off('data', onData);
      socket.pause();
      // The JVM may have said more by now: that an event has happened.
      if (got.length > HANDSHAKE.length) socket.unshift(got.subarray(HANDSHAKE.length));
      resolve(got.subarray(0, HANDSHAKE.length).equals(HANDSHAKE));
    };
    socket.on('data', onData);
    socket.once('connect', () => socket.write(HANDSHAKE));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
  if (greeted) return socket;
  socket.destroy();
  return null;
}
