import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { MessageLines } from '../../src/mcp/stdio-lines.ts';

async function through(chunks: readonly (string | Buffer)[]) {
  const refused: { code: number; id: unknown }[] = [];
  const lines = new MessageLines(({ code }, id) => refused.push({ code, id }));
  const input = new PassThrough();
  input.pipe(lines);
  for (const chunk of chunks) input.write(chunk);
  input.end();
  let passed = '';
  for await (const chunk of lines as AsyncIterable<Buffer>) passed += chunk.toString();
  return { refused, passed: passed.split('\n').slice(0, -1) };
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('lines of standard input', () => {
  test('messages pass, however they are cut', async () => {
    const umlaut = Buffer.from('{"jsonrpc":"2.0","id":"ü","method":"ping"}\n');
    expect(await through([ping.slice(0, 9), `${ping.slice(9)}\n${ping}\r\n\n`, umlaut])).toEqual({
      refused: [],
      passed: [ping, `${ping}\r`, umlaut.toString().trim()],
    });
    expect(await through([...umlaut].map((byte) => Buffer.of(byte)))).toMatchObject({
      passed: [umlaut.toString().trim()],
    });
  });

  test.each([
    ['no JSON', 'hello', -32700, null],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), -32700, null],
    ['a scalar', '5', -32600, null],
    ['a batch', `[${ping}]`, -32600, null],
    ['another JSON-RPC', '{"id":7,"method":"ping"}', -32600, 7],
    ['params that are a list', '{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}', -32602, 'a'],
  ] as const)('%s is answered, and what follows is not lost', async (_, line, code, id) => {
    expect(await through([line, '\n', `${ping}\n`])).toEqual({ refused: [{ code, id }], passed: [ping] });
  });

  test('a message beyond the limit is answered once and thrown away', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 0x20);
    const { refused, passed } = await through([...Array.from({ length: 6 }, () => megabyte), `\n${ping}\n`]);
    expect(refused).toEqual([{ code: -32600, id: null }]);
    expect(passed).toEqual([ping]);
  });

  test('a line that never ends is no message', async () => {
    expect(await through([ping])).toEqual({ refused: [], passed: [] });
  });
});
