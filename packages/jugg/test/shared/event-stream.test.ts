import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitEvents } from '../../src/shared/event-stream.ts';

test('events are cut apart; comments and other fields are left out', () => {
  const text = ': hello\n\nevent: message\nid: 1\ndata: {"a":1}\n\ndata: one\ndata: two\n\ndata: not yet';
  expect(splitEvents(text)).toEqual({ data: ['{"a":1}', 'one\ntwo'], rest: 'data: not yet' });
});

test('the same events come out however the stream is cut', () => {
  const event = fc.string().map((text) => JSON.stringify(text));
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat(40)), (events, cuts) => {
      const text = events.map((data) => `event: message\ndata: ${data}\n\n`).join('');
      const found: string[] = [];
      let kept = '';
      let at = 0;
      for (const length of [...cuts, text.length]) {
        const { data, rest } = splitEvents(kept + text.slice(at, at + length));
        found.push(...data);
        kept = rest;
        at += length;
      }
      expect(found).toEqual(events);
    }),
  );
});
