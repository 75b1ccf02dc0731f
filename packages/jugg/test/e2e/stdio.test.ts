import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LISTED } from '../../src/actions/names.ts';
import { shippedFile } from '../../src/shared/paths.ts';
import { TestHome } from './home.ts';

let home: TestHome;
beforeAll(async () => {
  home = await TestHome.make({ JUGG_ADB_SERVER: 'false' });
});
afterAll(() => home.close());

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(home.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function connect(args: readonly string[], versions?: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client(
    { name: 'e2e', version: '0' },
    versions ? { versionNegotiation: { mode: versions } } : {},
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [shippedFile('jugg.mjs'), 'mcp', ...args],
      cwd: home.project,
      env: environment(),
      stderr: 'pipe',
    }),
  );
  return client;
}

describe('jugg mcp', () => {
  test.each([
    ['joins the server, older revision', [], 'legacy', 'server'],
    ['joins the server, newest revision', [], 'auto', 'server'],
    ['stands alone', ['--standalone'], 'legacy', 'stdio'],
  ] as const)('%s', async (_name, args, versions, kind) => {
    const client = await connect(args, versions);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([...LISTED]);
    const version = await client.callTool({ name: 'version', arguments: {} });
    expect(version.structuredContent).toMatchObject({ status: 'OK', data: { runtime: { kind } } });
    // The session belongs to the folder it was started in: no projectDir, and no init before.
    const status = await client.callTool({ name: 'status', arguments: {} });
    expect(status.structuredContent).toMatchObject({ status: 'OK', data: { hasBeenFullCompiled: false } });
    // Nor does it say yes for any other folder.
    const other = await client.callTool({ name: 'status', arguments: { projectDir: home.folder } });
    expect(other.structuredContent).toMatchObject({ errorCode: 'PROJECT_NOT_INITIALIZED' });
    await expect(client.callTool({ name: 'no-such-tool', arguments: {} })).rejects.toThrow(/no-such-tool/);
    await client.close();
  });

  test('passes the progress of a job on', { timeout: 120_000 }, async () => {
    const client = await connect([], 'legacy');
    const heard: string[] = [];
    const built = await client.callTool(
      { name: 'compile', arguments: {} },
      { onprogress: ({ message = '' }) => heard.push(message) },
    );
    expect(built.structuredContent).toMatchObject({ status: 'OK' });
    expect(heard.length).toBeGreaterThan(1);
    await client.close();
  });

  test('starts the server again when it went away between two calls', async () => {
    const client = await connect([], 'legacy');
    await client.callTool({ name: 'version', arguments: {} });
    expect((await home.run(['stop'])).exitCode).toBe(0);
    const version = await client.callTool({ name: 'version', arguments: {} });
    expect(version.structuredContent).toMatchObject({ status: 'OK', data: { runtime: { kind: 'server' } } });
    await client.close();
  });

  test('ends when its input ends', async () => {
    const child = home.spawn(['mcp'], home.project);
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    child.stdin?.end();
    expect(await ended).toBe(0);
  });

  test('keeps standard output for the protocol', async () => {
    const child = home.spawn(['mcp'], home.project);
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise((resolve) => child.on('close', resolve));
    // What it cannot read it answers, instead of leaving its sender to wait.
    child.stdin?.write('this is not JSON\n');
    await new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()));
    child.stdin?.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } } })}\n`,
    );
    await new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()));
    child.stdin?.end();
    await ended;
    const lines = Buffer.concat(chunks).toString().trim().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { jsonrpc: '2.0', id: null, error: { code: -32700 } },
      { jsonrpc: '2.0', id: 1, result: { serverInfo: { name: 'jugg' } } },
    ]);
  });
});
