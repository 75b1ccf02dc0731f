import { describe, expect, test } from 'vitest';
import { Calls } from '../../src/app-process/calls.ts';
import { LineSplitter } from '../../src/app-process/lines.ts';

describe('calls', () => {
  test('an answer goes to the call with its number, whatever the order', async () => {
    const sent: string[] = [];
    const calls = new Calls((line) => sent.push(line));
    const first = calls.request('memory', {});
    const second = calls.request('trim', {});
    expect(sent.map((line) => JSON.parse(line))).toEqual([
      { id: 1, method: 'memory', params: {} },
      { id: 2, method: 'trim', params: {} },
    ]);
    expect(calls.accept({ id: 2, result: {} })).toBe(true);
    expect(calls.accept({ id: 1, result: { heapUsed: 1, heapMax: 2 } })).toBe(true);
    expect(await first).toEqual({ ok: true, value: { heapUsed: 1, heapMax: 2 } });
    expect(await second).toEqual({ ok: true, value: {} });
  });

  test('errors, nonsense, aborts, time-outs and the end are faults', async () => {
    const calls = new Calls(() => {});
    const refused = calls.request('tap', { x: 1, y: 2 });
    calls.accept({ id: 1, error: { code: 'NOT_BOUND', message: 'spare' } });
    expect(await refused).toEqual({ ok: false, fault: { code: 'NOT_BOUND', message: 'spare' } });

    const nonsense = calls.request('memory', {});
    calls.accept({ id: 2, result: { heapUsed: 'much' } });
    expect(await nonsense).toMatchObject({ fault: { code: 'BAD_ANSWER' } });

    const abort = new AbortController();
    const aborted = calls.request('memory', {}, { signal: abort.signal });
    abort.abort();
    expect(await aborted).toMatchObject({ fault: { code: 'CANCELED' } });
    // The answer that comes all the same belongs to nobody.
    expect(calls.accept({ id: 3, result: {} })).toBe(true);

    expect(await calls.request('memory', {}, { timeoutMs: 5 })).toMatchObject({ fault: { code: 'TIMEOUT' } });

    const open = calls.request('memory', {});
    calls.end({ code: 'PROCESS_GONE', message: 'ended' });
    expect(await open).toMatchObject({ fault: { code: 'PROCESS_GONE' } });
    expect(await calls.request('memory', {})).toMatchObject({ fault: { code: 'PROCESS_GONE' } });
    expect(calls.accept({ event: 'home', params: {} })).toBe(false);
  });
});

test('lines are cut from chunks, also in the middle of a letter', () => {
  const bytes = Buffer.from('one\ntwo é\nrest');
  const lines = new LineSplitter();
  const cut = bytes.indexOf(0xc3) + 1;
  expect(lines.push(bytes.subarray(0, cut))).toEqual(['one']);
  expect(lines.push(bytes.subarray(cut))).toEqual(['two é']);
  expect(lines.push(Buffer.from('\n'))).toEqual(['rest']);
});
