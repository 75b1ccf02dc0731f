import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DeviceUse } from '../../src/runtime/device-use.ts';

const change = (client: string, tool = 'tap') => ({ client, tool, at: '2026-01-01T00:00:00Z' });

describe('a device that several clients use', () => {
  test('tells each what others did since its own last call, once', () => {
    const use = new DeviceUse();
    expect(use.changedBy('d', 'a')).toBeUndefined();
    use.noteChange('d', change('b'));
    use.noteChange('d', change('b', 'restart'));
    use.noteChange('d', change('a'));
    expect(use.changedBy('d', 'a')).toEqual(change('b', 'restart'));
    expect(use.changedBy('d', 'a')).toBeUndefined();
    expect(use.changedBy('e', 'a')).toBeUndefined();
  });

  test('tells a newcomer nothing: it has seen nothing that could have changed', () => {
    const use = new DeviceUse();
    use.noteChange('d', change('b'));
    expect(use.changedBy('d', 'a')).toBeUndefined();
  });

  test('takes input in the order in which it came, also after one that failed', async () => {
    const use = new DeviceUse();
    const order: string[] = [];
    const step = (name: string, ms: number) => async () => {
      order.push(`${name} begins`);
      // Real time, so that a second one that did not wait would overtake the first.
      await delay(ms);
      order.push(`${name} ends`);
      if (name === 'b') throw new Error('failed');
    };
    const elsewhere = use.inOrder('other', step('x', 1));
    const all = [
      use.inOrder('d', step('a', 20)),
      use.inOrder('d', step('b', 5)),
      use.inOrder('d', step('c', 1)),
    ];
    await elsewhere;
    expect(order).toContain('x ends');
    expect(order).not.toContain('a ends');
    const results = await Promise.allSettled(all);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(order.filter((line) => !line.startsWith('x'))).toEqual([
      'a begins',
      'a ends',
      'b begins',
      'b ends',
      'c begins',
      'c ends',
    ]);
  });
});
