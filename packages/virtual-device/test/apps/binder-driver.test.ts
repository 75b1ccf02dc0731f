import { beforeEach, expect, test } from 'vitest';
import type { WireParcel } from '../../src/app-process/binder-types.ts';
import type { Method, ParamsOf } from '../../src/app-process/types.ts';
import type { RunningApp } from '../../src/apps/app-process-record.ts';
import { BinderDriver } from '../../src/apps/binder-driver.ts';

const EMPTY: WireParcel = { data: '', binders: [] };

interface Asked {
  readonly method: Method;
  readonly params: unknown;
  answer(value: unknown): void;
}

/** A process that keeps what it is asked. */
class FakeProcess {
  readonly asked: Asked[] = [];
  readonly app: RunningApp;

  constructor(pid: number) {
    const port = {
      pid,
      request: (method: Method, params: ParamsOf<Method>) =>
        new Promise((resolve) => {
          this.asked.push({ method, params, answer: (value) => resolve(value) });
        }),
    };
    // The driver uses the port, the pid and the uid only.
    this.app = { pid, uid: 10_000 + pid, port } as unknown as RunningApp;
  }

  take(method: Method): Asked {
    const at = this.asked.findIndex((each) => each.method === method);
    const [found] = at < 0 ? [] : this.asked.splice(at, 1);
    if (!found) throw new Error(`${this.app.pid} was not asked ${method}`);
    return found;
  }
}

let running: Map<number, RunningApp>;
let driver: BinderDriver;
let a: FakeProcess;
let b: FakeProcess;
let c: FakeProcess;

beforeEach(() => {
  [a, b, c] = [new FakeProcess(1), new FakeProcess(2), new FakeProcess(3)];
  running = new Map([a, b, c].map(({ app }) => [app.pid, app]));
  driver = new BinderDriver((pid) => running.get(pid));
});

const call = (to: number, parcel = EMPTY, within?: number) => ({
  call: 70,
  pid: to,
  node: 5,
  code: 1,
  oneWay: false,
  ...(within !== undefined && { within }),
  parcel,
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a call that comes back goes to the thread that waits, over a third process too', async () => {
  driver.transact(a.app, call(2));
  const first = b.take('transact').params as { call: number };
  expect(first).toMatchObject({ callerPid: 1, callerUid: 10_001, node: 5 });
  expect(first).not.toHaveProperty('onCall');
  driver.transact(b.app, call(3, EMPTY, first.call));
  const second = c.take('transact').params as { call: number };
  driver.transact(c.app, call(1, EMPTY, second.call));
  expect(a.take('transact').params).toMatchObject({ callerPid: 3, onCall: 70 });
  // A call that is made for nobody is served by any thread.
  driver.transact(c.app, call(1));
  expect(a.take('transact').params).not.toHaveProperty('onCall');
});

test('a binder is kept as long as somebody holds it', async () => {
  driver.transact(a.app, call(2, { data: '', binders: [[1, 9]] }));
  driver.transact(a.app, call(2, { data: '', binders: [[1, 9]] }));
  // Given on, by who holds it.
  driver.transact(b.app, call(3, { data: '', binders: [[1, 9]] }));
  driver.release(b.app, { pid: 1, node: 9, times: 2 });
  expect(a.asked).toEqual([]);
  driver.release(c.app, { pid: 1, node: 9, times: 1 });
  expect(a.take('binderUnreferenced').params).toEqual({ node: 9, sent: 2 });
});

test('a process that ends lets go what it held, and is told of to all', async () => {
  driver.transact(a.app, call(2, { data: '', binders: [[1, 9]] }));
  running.delete(2);
  b.take('transact').answer({ ok: false, fault: { code: 'PROCESS_GONE', message: '' } });
  driver.gone(2, true, [a.app, c.app]);
  await settled();
  expect(a.take('binderUnreferenced').params).toEqual({ node: 9, sent: 1 });
  expect(a.take('transacted').params).toEqual({ call: 70, handled: false });
  for (const other of [a, c]) expect(other.take('processGone').params).toEqual({ pid: 2, stopped: true });
  expect(driver.size).toBe(0);
});

test('what is sent to nobody is let go, and a binder of nobody is told to be dead', async () => {
  driver.transact(a.app, call(99, { data: '', binders: [[1, 4]] }));
  expect(a.take('transacted').params).toEqual({ call: 70, handled: false });
  expect(a.take('binderUnreferenced').params).toEqual({ node: 4, sent: 1 });
  driver.transact(a.app, call(2, { data: '', binders: [[98, 4]] }));
  await settled();
  expect(b.asked.map(({ method }) => method)).toEqual(['transact', 'processGone']);
});

test('a reply may hold binders, and one without an answer gets none', async () => {
  driver.transact(a.app, call(2));
  const reply = { handled: true, parcel: { data: 'x', binders: [[2, 3]] } };
  b.take('transact').answer({ ok: true, value: reply });
  await settled();
  expect(a.take('transacted').params).toEqual({ call: 70, ...reply });
  driver.transact(a.app, { ...call(2), oneWay: true });
  b.take('transact').answer({ ok: true, value: { handled: true, parcel: EMPTY } });
  await settled();
  expect(a.asked).toEqual([]);
  driver.release(a.app, { pid: 2, node: 3, times: 1 });
  expect(driver.size).toBe(0);
});
