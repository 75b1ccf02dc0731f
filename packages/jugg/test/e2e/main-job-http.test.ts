import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isEnvelope, type CliEnvelope } from '../../src/cli/envelope.ts';
import { matchesGolden } from './golden.ts';
import { TestHome } from './home.ts';
import { mainJob } from './story.ts';

let home: TestHome;
let serial: string;
beforeAll(async () => {
  home = await TestHome.make({ JUGG_ADB_SERVER: 'false' });
  serial = await home.startDevice('http');
  await home.json(['version']);
});
afterAll(() => home.close());

test(
  'the main job through HTTP by the official client, over the direct transport',
  { timeout: 240_000 },
  async () => {
    const url = new URL(`http://127.0.0.1:${await home.port()}/jugg-mcp`);
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${await home.token()}` } },
    });
    const client = new Client({ name: 'e2e', version: '0' });
    await client.connect(transport);
    const call = async (name: string, args: Readonly<Record<string, unknown>>): Promise<CliEnvelope> => {
      const result = await client.callTool({ name, arguments: { projectDir: home.project, ...args } });
      const envelope: unknown = result.structuredContent;
      if (!isEnvelope(envelope)) throw new Error(JSON.stringify(result));
      expect(result.isError).toBe(envelope.status === 'ERROR');
      expect(result.content[0]).toEqual({ type: 'text', text: JSON.stringify(envelope) });
      return envelope;
    };
    const told = await mainJob(
      async (tool, args) => {
        let envelope = await call(tool, args);
        while (envelope.data['isFinal'] === false) {
          envelope = await call('get-compile-status', {
            jobId: envelope.data['jobId'],
            waitTimeoutMs: 20_000,
          });
        }
        return envelope;
      },
      home.project,
      serial,
    );
    await client.close();
    await matchesGolden(told, home, serial);
  },
);
