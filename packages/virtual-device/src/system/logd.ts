/** Buffers of logcat. */
export const LOG_BUFFERS = ['main', 'system', 'crash', 'events', 'radio', 'kernel'] as const;
export type LogBuffer = (typeof LOG_BUFFERS)[number];
export type LogPriority = 'V' | 'D' | 'I' | 'W' | 'E' | 'F';

export interface LogEntry {
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  readonly uid: number;
  readonly pid: number;
  readonly tid: number;
  readonly priority: LogPriority;
  readonly tag: string;
  readonly message: string;
  readonly buffer: LogBuffer;
}

/** As much text as logd keeps for a buffer by default on a phone with little memory, in characters. */
const CAPACITY = 1024 * 1024;

/** The log daemon: one ring for each buffer, and listeners that follow them. */
export class Logd {
  readonly #rings = new Map<LogBuffer, { entries: LogEntry[]; size: number }>();
  readonly #listeners = new Set<(entry: LogEntry) => void>();
  #sequence = 0;

  write(entry: Omit<LogEntry, 'sequence'>): void {
    const numbered = { ...entry, sequence: ++this.#sequence };
    const ring = this.#rings.get(entry.buffer) ?? { entries: [], size: 0 };
    this.#rings.set(entry.buffer, ring);
    ring.entries.push(numbered);
    ring.size += entry.message.length + entry.tag.length;
    if (ring.size > CAPACITY) this.#shrink(ring);
    for (const listener of this.#listeners) listener(numbered);
  }

  /** All entries of the buffers in the order of their times. */
  read(buffers: ReadonlySet<LogBuffer>): LogEntry[] {
    const all = [...this.#rings].flatMap(([buffer, ring]) => (buffers.has(buffer) ? ring.entries : []));
    return all.sort((a, b) => a.timeMs - b.timeMs || a.sequence - b.sequence);
  }

  follow(listener: (entry: LogEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(buffers: ReadonlySet<LogBuffer>): void {
    for (const buffer of buffers) this.#rings.delete(buffer);
  }

  sizeOf(buffer: LogBuffer): number {
    return this.#rings.get(buffer)?.size ?? 0;
  }

  /** Drops a tenth at once, so that a full ring does not move with every line. */
  #shrink(ring: { entries: LogEntry[]; size: number }): void {
    let drop = 0;
    while (ring.size > CAPACITY * 0.9 && drop < ring.entries.length) {
      const oldest = ring.entries[drop++];
      if (oldest) ring.size -= oldest.message.length + oldest.tag.length;
    }
    ring.entries.splice(0, drop);
  }
}
