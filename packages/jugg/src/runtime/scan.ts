import { request as httpRequest } from 'node:http';

/** A Jugg server that was found by asking a port. */
export interface FoundServer {
  readonly port: number;
  readonly projects: readonly string[];
}

/** A port answers at once or is no server of ours: what holds it may be any program, and may never answer. */
const ANSWER_MS = 1000;
const ADDRESSES = ['127.0.0.1', '::1'] as const;
const LARGEST_ANSWER = 1_000_000;

/**
 * The Jugg servers on a range of ports, of whatever user or version: each port is asked on both loopback addresses, all
 * at once, and what does not answer as Jugg within a second (web pages, silent programs) is left out.
 */
export async function scanServers(first: number, last: number): Promise<readonly FoundServer[]> {
  const ports = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const found = await Promise.all(
    ports.map(async (port) => {
      const answers = await Promise.all(ADDRESSES.map((address) => askServer(port, address)));
      return answers.find((answer) => answer !== undefined);
    }),
  );
  return found.filter((server) => server !== undefined);
}

async function askServer(port: number, address: string): Promise<FoundServer | undefined> {
  const hello = await ask(port, address, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'jugg-scan', version: '0' },
  });
  const name = field(field(hello, 'serverInfo'), 'name');
  if (typeof name !== 'string' || !/^jugg\b/.test(name)) return undefined;
  const reply = await ask(port, address, 'tools/call', { name: 'list-projects', arguments: {} });
  const listed = field(field(field(reply, 'structuredContent'), 'data'), 'projects');
  const dirs = Array.isArray(listed) ? listed.map((project) => field(project, 'projectDir')) : [];
  return { port, projects: dirs.filter((dir) => typeof dir === 'string') };
}

/** The `result` of one JSON-RPC request; `undefined` for anything else that may come back. */
function ask(port: number, address: string, method: string, params: object): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method, params });
  return new Promise((resolve) => {
    const request = httpRequest(
      {
        host: address,
        port,
        path: '/jugg-mcp',
        method: 'POST',
        agent: false,
        // Of the whole exchange: a program that sends a byte now and then must not hold the scan.
        signal: AbortSignal.timeout(ANSWER_MS),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          if (text.length > LARGEST_ANSWER) request.destroy();
        });
        response.on('error', () => resolve(undefined));
        response.on('end', () => resolve(resultOf(text)));
      },
    );
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
    request.end(body);
  });
}

function resultOf(text: string): unknown {
  try {
    return field(JSON.parse(text), 'result');
  } catch {
    return undefined;
  }
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
