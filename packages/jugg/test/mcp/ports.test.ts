import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { bindFirstFree, listenWith, type Listen } from '../../src/mcp/ports.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** Answers as a system would whose ports are in the given state; what is not named is free. */
function system(state: Readonly<Record<string, string>>): { listen: Listen; held: Set<string> } {
  const held = new Set<string>();
  return {
    held,
    listen: async (port, address) => {
      const failure = state[`${port} ${address}`];
      if (failure) return failure;
      held.add(`${port} ${address}`);
      return { close: () => held.delete(`${port} ${address}`) };
    },
  };
}

describe('the port', () => {
  test('is the first that is free on both addresses; a half one is let go', async () => {
    const { listen, held } = system({ '12320 ::1': 'EADDRINUSE' });
    expect(await bindFirstFree(listen)).toMatchObject({
      ok: true,
      value: { port: 12_321, addresses: ['127.0.0.1', '::1'] },
    });
    expect([...held]).toEqual(['12321 127.0.0.1', '12321 ::1']);
  });

  test('needs no IPv6 where there is none', async () => {
    const { listen } = system({ '12320 ::1': 'EADDRNOTAVAIL' });
    expect(await bindFirstFree(listen)).toMatchObject({ value: { port: 12_320, addresses: ['127.0.0.1'] } });
  });

  test('is PORT_RANGE_FULL when none is free', async () => {
    const taken = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`${12_320 + index} 127.0.0.1`, 'EADDRINUSE']),
    );
    expect(await bindFirstFree(system(taken).listen)).toMatchObject({
      ok: false,
      fault: { code: 'PORT_RANGE_FULL' },
    });
  });

  test('is never shared by two servers that start together', async () => {
    const start = async (): Promise<number> => {
      const servers = new Set<Server>();
      const bound = await bindFirstFree(
        listenWith(() => createServer(), servers),
        { first: 23_320, last: 23_329 },
      );
      open.push(...servers);
      return bound.ok ? bound.value.port : 0;
    };
    const [a, b] = await Promise.all([start(), start()]);
    expect(a).toBeGreaterThan(0);
    expect(b).toBeGreaterThan(0);
    expect(a).not.toBe(b);
  });
});
