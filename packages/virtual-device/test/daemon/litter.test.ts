import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Litter } from '../../src/daemon/litter.ts';

const MB = 1024 * 1024;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('what transfers leave behind is collected as they go, and all of it when they are over', () => {
  const collected: (string | undefined)[] = [];
  const litter = new Litter((options) => collected.push(options?.type));
  vi.advanceTimersByTime(2000);
  // Of the start.
  expect(collected.splice(0)).toEqual([undefined, undefined]);
  for (let at = 0; at < 20; at++) litter.passed(MB);
  expect(collected.splice(0)).toEqual(['minor', 'minor']);
  vi.advanceTimersByTime(900);
  litter.passed(1);
  vi.advanceTimersByTime(900);
  expect(collected).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(collected.splice(0)).toEqual([undefined, undefined]);
  // Small talk is not worth it.
  litter.passed(MB);
  vi.advanceTimersByTime(5000);
  expect(collected).toEqual([]);
});
