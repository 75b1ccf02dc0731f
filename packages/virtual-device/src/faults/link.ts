import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { Faults } from './faults.ts';

/** How many bytes may still pass before the connection is cut; one budget for all connections of a device. */
export class CutBudget {
  readonly #faults: Faults;
  #left = 0;

  constructor(faults: Faults) {
    this.#faults = faults;
    faults.onChange((change) => {
      if (change.kind === 'set' && change.name === 'cut') this.#left = faults.get('cut')?.afterBytes ?? 0;
    });
  }

  /** How many of `bytes` may pass. Fewer than asked for: the connection is to be cut, and the fault is over. */
  take(bytes: number): number {
    if (!this.#faults.get('cut')) return bytes;
    const taken = Math.min(bytes, this.#left);
    this.#left -= taken;
    if (taken < bytes) this.#faults.clear('cut');
    return taken;
  }
}

/** One direction of a link: when bytes that are sent now have left, and when they arrive (ms of `performance.now()`). */
class Lane {
  #freeAt = 0;

  send(
    bytes: number,
    bytesPerSecond: number | undefined,
    latencyMs: number,
  ): { left: number; arrives: number } {
    const now = performance.now();
    const start = Math.max(now, this.#freeAt);
    this.#freeAt = bytesPerSecond === undefined ? start : start + (bytes / bytesPerSecond) * 1000;
    return { left: this.#freeAt, arrives: this.#freeAt + latencyMs };
  }
}

/** So small that a slow link trickles instead of jumping. */
const SLICE = 4096;

/** A client's connection, with the faults of the link between: slow, or cut after some bytes. */
export class FaultyLink extends Duplex {
  readonly #socket: Socket;
  readonly #faults: Faults;
  readonly #cut: CutBudget;
  readonly #passed: (bytes: number) => void;
  readonly #up = new Lane();
  readonly #down = new Lane();
  /** What is under way to the client, in order. */
  #delivery: Promise<void> = Promise.resolve();
  #resume: (() => void) | null = null;

  /** @param passed hears how many bytes have come or gone */
  constructor(socket: Socket, faults: Faults, cut: CutBudget, passed: (bytes: number) => void) {
    super({ allowHalfOpen: false });
    this.#passed = passed;
    this.#socket = socket;
    this.#faults = faults;
    this.#cut = cut;
    socket.setNoDelay(true);
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    void this.#pump();
  }

  override _read(): void {
    this.#resume?.();
    this.#resume = null;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    void this.#send(chunk, callback);
  }

  async #send(chunk: Buffer, done: () => void): Promise<void> {
    this.#passed(chunk.length);
    if (this.#faults.get('slow-link') || this.#faults.get('cut')) {
      await this.#writeSlowly(chunk);
      done();
      return;
    }
    // Nothing is under way but what was sent while the link was slow.
    await this.#delivery;
    if (this.#socket.write(chunk) || this.#socket.destroyed) done();
    else this.#socket.once('drain', done);
  }

  async #writeSlowly(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && !this.destroyed; at += SLICE) {
      const slice = chunk.subarray(at, at + SLICE);
      const allowed = this.#cut.take(slice.length);
      const slow = this.#faults.get('slow-link');
      const times = this.#down.send(slice.length, slow?.bytesPerSecond, slow?.latencyMs ?? 0);
      const before = this.#delivery;
      this.#delivery = (async () => {
        await before;
        await until(times.arrives);
        if (!this.destroyed) this.#socket.write(slice.subarray(0, allowed));
        if (allowed < slice.length) this.#break();
      })();
      await until(times.left);
    }
  }

  override _final(callback: () => void): void {
    void this.#finish(callback);
  }

  async #finish(done: () => void): Promise<void> {
    await this.#delivery;
    this.#socket.end();
    done();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#socket.destroy();
    this.#resume?.();
    callback(error);
  }

  async #pump(): Promise<void> {
    try {
      for await (const data of this.#socket) {
        // A socket without an encoding gives buffers.
        await this.#take(data as Buffer);
        if (this.destroyed) return;
      }
    } catch {
      // The error handler has seen it.
    }
    this.push(null);
  }

  async #take(data: Buffer): Promise<void> {
    const slow = this.#faults.get('slow-link');
    const allowed = this.#cut.take(data.length);
    this.#passed(data.length);
    if (slow) await until(this.#up.send(data.length, slow.bytesPerSecond, slow.latencyMs ?? 0).arrives);
    if (this.destroyed) return;
    if (allowed > 0 && !this.push(data.subarray(0, allowed))) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    }
    if (allowed < data.length) this.#break();
  }

  /** A broken cable: no farewell. */
  #break(): void {
    this.#socket.resetAndDestroy();
    this.destroy();
  }
}

function until(time: number): Promise<void> | void {
  const ms = time - performance.now();
  if (ms <= 0) return;
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
