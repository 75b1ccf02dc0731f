import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { isEnvelope, type CliEnvelope } from '../../src/cli/envelope.ts';
import type { TestHome } from './home.ts';

/** One call of a tool, by a client of some kind; `close` ends the client. */
export interface HttpDoor {
  readonly call: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<CliEnvelope>;
  readonly close: () => Promise<void>;
}

const toolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  structuredContent: z.looseObject({}),
  isError: z.boolean(),
});

/** The envelope of a result, which must stand in it twice and agree with its flag (contract §1). */
function envelopeOf(value: unknown): CliEnvelope {
  const result = toolResult.parse(value);
  const envelope: unknown = result.structuredContent;
  if (!isEnvelope(envelope)) throw new Error(`not an envelope: ${JSON.stringify(result)}`);
  if (result.isError !== (envelope.status === 'ERROR')) throw new Error('isError does not agree with status');
  const [first] = result.content;
  if (first?.type !== 'text' || first.text !== JSON.stringify(envelope))
    throw new Error('the text is not the envelope');
  return envelope;
}

async function addressOf(home: TestHome): Promise<{ url: URL; authorization: string }> {
  return {
    url: new URL(`http://127.0.0.1:${await home.port()}/jugg-mcp`),
    authorization: `Bearer ${await home.token()}`,
  };
}

/** The official client, of one of the two protocol eras. */
export async function officialClient(home: TestHome, era: 'legacy' | '2026-07-28'): Promise<HttpDoor> {
  const { url, authorization } = await addressOf(home);
  const client = new Client(
    { name: 'e2e', version: '0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }),
  );
  return {
    call: async (name, args) =>
      envelopeOf(await client.callTool({ name, arguments: { projectDir: home.project, ...args } })),
    close: () => client.close(),
  };
}

/** What a person would write with nothing but the reference at hand: one POST a call, no handshake, no library. */
export async function rawClient(home: TestHome): Promise<HttpDoor> {
  const { url, authorization } = await addressOf(home);
  let id = 0;
  return {
    call: async (name, args) => {
      id += 1;
      const params = { name, arguments: { projectDir: home.project, ...args } };
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
      });
      const reply = z
        .object({ jsonrpc: z.literal('2.0'), id: z.literal(id), result: z.unknown() })
        .parse(await response.json());
      return envelopeOf(reply.result);
    },
    close: async () => {},
  };
}
