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
const DEFAULT_CAPACITY = 1024 * 1024;

/** The same line again and again, which logd of Android 7 to 11 counts instead of keeping. */
interface Repeat {
  readonly first: Omit<LogEntry, 'sequence'>;
  last: Omit<LogEntry, 'sequence'>;
  count: number;
}

/** The log daemon: one ring for each buffer, and listeners that follow them. */
export class Logd {
  readonly #rings = new Map<LogBuffer, { entries: LogEntry[]; size: number }>();
  readonly #listeners = new Set<(entry: LogEntry) => void>();
  readonly #capacity = new Map<LogBuffer, number>();
  readonly #repeats = new Map<LogBuffer, Repeat>();
  readonly #chatty: boolean;
  #sequence = 0;

  /** `chatty`: equal lines in a row are told by their number (`chatty : uid=… identical 3 lines`). */
  constructor(chatty = false) {
    this.#chatty = chatty;
  }

  write(entry: Omit<LogEntry, 'sequence'>): void {
    if (!this.#chatty || entry.buffer === 'events') {
      this.#keep(entry);
      return;
    }
    const repeat = this.#repeats.get(entry.buffer);
    if (repeat && same(repeat.first, entry)) {
      repeat.count++;
      repeat.last = entry;
      return;
    }
    this.#flush(entry.buffer);
    this.#repeats.set(entry.buffer, { first: entry, last: entry, count: 0 });
    this.#keep(entry);
  }

  /** Of equal lines the first and the last are kept, and how many were between. */
  #flush(buffer: LogBuffer): void {
    const repeat = this.#repeats.get(buffer);
    this.#repeats.delete(buffer);
    if (!repeat || repeat.count === 0) return;
    const { last, count } = repeat;
    if (count > 1) {
      const message = `uid=${last.uid} identical ${count - 1} line${count === 2 ? '' : 's'}`;
      this.#keep({ ...last, priority: 'I', tag: 'chatty', message });
    }
    this.#keep(last);
  }

  #keep(entry: Omit<LogEntry, 'sequence'>): void {
    const numbered = { ...entry, sequence: ++this.#sequence };
    const ring = this.#rings.get(entry.buffer) ?? { entries: [], size: 0 };
    this.#rings.set(entry.buffer, ring);
    ring.entries.push(numbered);
    ring.size += entry.message.length + entry.tag.length;
    const capacity = this.capacityOf(entry.buffer);
    if (ring.size > capacity) this.#shrink(ring, capacity);
    for (const listener of this.#listeners) listener(numbered);
  }

  /** All entries of the buffers in the order of their times. */
  read(buffers: ReadonlySet<LogBuffer>): LogEntry[] {
    for (const buffer of buffers) this.#flush(buffer);
    const all = [...this.#rings].flatMap(([buffer, ring]) => (buffers.has(buffer) ? ring.entries : []));
    return all.sort((a, b) => a.timeMs - b.timeMs || a.sequence - b.sequence);
  }

  follow(listener: (entry: LogEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(buffers: ReadonlySet<LogBuffer>): void {
    for (const buffer of buffers) {
      this.#rings.delete(buffer);
      this.#repeats.delete(buffer);
    }
  }

  /** In characters. */
  capacityOf(buffer: LogBuffer): number {
    return this.#capacity.get(buffer) ?? DEFAULT_CAPACITY;
  }

  resize(buffer: LogBuffer, capacity: number): void {
    this.#capacity.set(buffer, capacity);
    const ring = this.#rings.get(buffer);
    if (ring && ring.size > capacity) this.#shrink(ring, capacity);
  }

  sizeOf(buffer: LogBuffer): number {
    return this.#rings.get(buffer)?.size ?? 0;
  }

  /** Drops a tenth at once, so that a full ring does not move with every line. */
  #shrink(ring: { entries: LogEntry[]; size: number }, capacity: number): void {
    if (this.#chatty) expireWorst(ring, capacity * 0.9);
    let drop = 0;
    while (ring.size > capacity * 0.9 && drop < ring.entries.length) {
      const oldest = ring.entries[drop++];
      if (oldest) ring.size -= oldest.message.length + oldest.tag.length;
    }
    ring.entries.splice(0, drop);
  }
}

/** A uid that holds more than this of a buffer is the first to lose lines. */
const WORST_SHARE = 0.5;

const EXPIRED = / expire (\d+) lines?$/;

/**
 * Takes the oldest lines of whoever has written most, and leaves a line that counts them where they were (AOSP Android 7 to
 * 11, logd `LogBuffer::prune`).
 */
function expireWorst(ring: { entries: LogEntry[]; size: number }, target: number): void {
  const sizes = new Map<number, number>();
  for (const entry of ring.entries) sizes.set(entry.uid, (sizes.get(entry.uid) ?? 0) + sizeOf(entry));
  const [uid, held] = [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, 0]);
  if (sizes.size < 2 || held < ring.size * WORST_SHARE) return;
  const kept: LogEntry[] = [];
  let size = ring.size;
  for (const entry of ring.entries) {
    if (entry.uid !== uid || size <= target) {
      kept.push(entry);
      continue;
    }
    const last = kept.at(-1);
    const before = last && last.uid === uid && last.tag === 'chatty' ? EXPIRED.exec(last.message) : null;
    const counted = entry.tag === 'chatty' ? EXPIRED.exec(entry.message) : null;
    const count = Number(counted?.[1] ?? 1) + Number(before?.[1] ?? 0);
    if (before && last) {
      kept.pop();
      size -= sizeOf(last);
    }
    const message = `uid=${uid} expire ${count} line${count === 1 ? '' : 's'}`;
    const line: LogEntry = { ...entry, priority: 'I', tag: 'chatty', message };
    kept.push(line);
    size += sizeOf(line) - sizeOf(entry);
  }
  ring.entries = kept;
  ring.size = size;
}

function sizeOf({ message, tag }: LogEntry): number {
  return message.length + tag.length;
}

function same(a: Omit<LogEntry, 'sequence'>, b: Omit<LogEntry, 'sequence'>): boolean {
  return (
    a.pid === b.pid &&
    a.tid === b.tid &&
    a.priority === b.priority &&
    a.tag === b.tag &&
    a.message === b.message
  );
}
