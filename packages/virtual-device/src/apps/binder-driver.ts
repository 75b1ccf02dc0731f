import type { WireParcel } from '../app-process/binder-types.ts';
import type { AppEvent, ParamsOf } from '../app-process/types.ts';
import type { RunningApp } from './app-process-record.ts';

type Transact = Extract<AppEvent, { event: 'transact' }>['params'];
type Release = Extract<AppEvent, { event: 'releaseBinder' }>['params'];

/** A binder call ends when it is answered or a process ends, as on a device: the longest timer that there is. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

interface OpenCall {
  readonly from: RunningApp;
  /** The caller's own number of it. */
  readonly call: number;
  /** The call that the caller was serving when it made this one. */
  readonly parent: OpenCall | undefined;
}

/** A binder that crossed a process. */
interface Node {
  readonly owner: number;
  readonly node: number;
  /** How often its owner has sent it. */
  sent: number;
  /** How often each process was given it. */
  readonly holders: Map<number, number>;
}

/**
 * What the kernel's binder driver does on a device: passes calls on from process to process, finds the waiting thread
 * for calls that come back, and knows who holds which binder.
 */
export class BinderDriver {
  readonly #running: (pid: number) => RunningApp | undefined;
  readonly #open = new Map<number, OpenCall>();
  readonly #nodes = new Map<string, Node>();
  #lastCall = 0;

  constructor(running: (pid: number) => RunningApp | undefined) {
    this.#running = running;
  }

  /** Binders that are known, for tests of what is left behind. */
  get size(): number {
    return this.#nodes.size + this.#open.size;
  }

  /** Whether a process has a binder of another one: who has bound a service gives it one. */
  holds(holder: number, owner: number): boolean {
    return [...this.#nodes.values()].some((node) => node.owner === owner && node.holders.has(holder));
  }

  /** Passes a call on at once: calls of one process come in its order. */
  transact(from: RunningApp, asked: Transact): void {
    const { call, pid, node, code, oneWay, within, parcel } = asked;
    const target = this.#running(pid);
    this.#pass(from.pid, pid, parcel);
    const answer = (params: Omit<ParamsOf<'transacted'>, 'call'>): void => {
      if (!oneWay) void from.port.request('transacted', { call, ...params });
    };
    if (!target) return answer({ handled: false });
    const id = ++this.#lastCall;
    const parent = within === undefined ? undefined : this.#open.get(within);
    const onCall = oneWay ? undefined : waitingCall(parent, target);
    if (!oneWay) this.#open.set(id, { from, call, parent });
    const request = {
      call: id,
      ...(onCall !== undefined && { onCall }),
      callerPid: from.pid,
      callerUid: from.uid,
      node,
      code,
      oneWay,
      parcel,
    };
    void target.port.request('transact', request, { timeoutMs: NO_TIMEOUT_MS }).then((served) => {
      this.#open.delete(id);
      if (!served.ok) return answer({ handled: false });
      this.#pass(pid, from.pid, served.value.parcel);
      return answer(served.value);
    });
  }

  /** A process does not use a binder any more that it was given so many times. */
  release(from: RunningApp, { pid, node, times }: Release): void {
    const known = this.#nodes.get(key(pid, node));
    if (!known) return;
    const left = (known.holders.get(from.pid) ?? 0) - times;
    if (left > 0) known.holders.set(from.pid, left);
    else known.holders.delete(from.pid);
    this.#forget(known);
  }

  /** A process has ended: all others hear of it, and what it held is let go. */
  gone(pid: number, stopped: boolean, others: readonly RunningApp[]): void {
    for (const known of this.#nodes.values()) {
      if (known.owner === pid) this.#nodes.delete(key(pid, known.node));
      else if (known.holders.delete(pid)) this.#forget(known);
    }
    for (const app of others) void app.port.request('processGone', { pid, stopped });
  }

  /** Counts the binders of a parcel, before it is handed on. */
  #pass(from: number, to: number, { binders }: WireParcel): void {
    for (const [owner, node] of binders) {
      if (owner === to) continue;
      if (!this.#running(owner)) {
        // The receiver may be younger than that end; it hears of it after the parcel.
        const gone = { pid: owner, stopped: false };
        queueMicrotask(() => void this.#running(to)?.port.request('processGone', gone));
        continue;
      }
      const id = key(owner, node);
      const known = this.#nodes.get(id) ?? { owner, node, sent: 0, holders: new Map<number, number>() };
      this.#nodes.set(id, known);
      if (owner === from) known.sent += 1;
      if (this.#running(to)) known.holders.set(to, (known.holders.get(to) ?? 0) + 1);
      this.#forget(known);
    }
  }

  /** Tells the owner of a binder that nobody holds. */
  #forget({ owner, node, sent, holders }: Node): void {
    if (holders.size > 0) return;
    this.#nodes.delete(key(owner, node));
    void this.#running(owner)?.port.request('binderUnreferenced', { node, sent });
  }
}

function key(owner: number, node: number): string {
  return `${owner}:${node}`;
}

/** The call of `target`, if one of its threads waits further up for what is being served. */
function waitingCall(parent: OpenCall | undefined, target: RunningApp): number | undefined {
  for (let each = parent; each; each = each.parent) if (each.from === target) return each.call;
  return undefined;
}
