import { request as httpRequest } from 'node:http';
import { nearestFirst } from './nearest-server.ts';
import { readRecords, removeRecord, type ServerRecord } from './discovery.ts';

/** A server of this user that answered, and how to call it. Loads neither zod nor the SDK: the CLI starts fast. */
export interface ServerLink {
  readonly record: ServerRecord;
  readonly token: string;
}

export interface RpcReply {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A little more than a call may last on the server (45 s). */
const CALL_TIMEOUT_MS = 50_000;
const PROBE_TIMEOUT_MS = 1500;

export interface RpcOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Who calls: what one client does to a device is told to the others [`JUGG_CLIENT`, else `cli`]. */
  readonly client?: string;
}

/** One JSON-RPC request; rejects when the server does not answer in time or not in JSON. */
export function rpc(
  target: { readonly port: number; readonly token: string },
  method: string,
  params: Readonly<Record<string, unknown>>,
  options: RpcOptions = {},
): Promise<RpcReply> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port: target.port,
        path: '/jugg-mcp',
        method: 'POST',
        agent: false,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'content-length': Buffer.byteLength(body),
          authorization: `Bearer ${target.token}`,
          'x-jugg-client': options.client ?? process.env['JUGG_CLIENT'] ?? 'cli',
        },
        ...(options.signal ? { signal: options.signal } : {}),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
          } catch {
            reject(new Error(`port ${target.port} did not answer in JSON (HTTP ${response.statusCode})`));
          }
        });
      },
    );
    const timeoutMs = options.timeoutMs ?? CALL_TIMEOUT_MS;
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    request.on('error', reject);
    request.end(body);
  });
}

/**
 * A live server of this user: the one that works on the project around `folder` if there is one, else the first. Stale
 * discovery files are removed on the way.
 */
export async function findServer(
  stateDir: string,
  token: string,
  folder: string = process.cwd(),
): Promise<ServerLink | undefined> {
  for (const record of nearestFirst(await readRecords(stateDir), folder)) {
    if (await isAlive(record, token)) return { record, token };
    await removeRecord(stateDir, record.pid);
  }
  return undefined;
}

/** Asks it who it is: a pid or a port alone may belong to somebody else by now. */
async function isAlive(record: ServerRecord, token: string): Promise<boolean> {
  try {
    const reply = await rpc(
      { port: record.port, token },
      'tools/call',
      { name: 'version', arguments: {} },
      { timeoutMs: PROBE_TIMEOUT_MS },
    );
    const runtime = path(reply.result, ['structuredContent', 'data', 'runtime']);
    return path(runtime, ['pid']) === record.pid && path(runtime, ['startedAt']) === record.startedAt;
  } catch {
    return false;
  }
}

function path(value: unknown, keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
  return at;
}
