import { request as httpRequest, type IncomingMessage } from 'node:http';
import { splitEvents } from '../shared/event-stream.ts';

/** JSON-RPC to a server of this user. Loads neither zod nor the SDK: the CLI starts fast. */

export interface RpcReply {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RpcTarget {
  readonly port: number;
  readonly token: string;
}

/** Told while a call lasts; `percent` is 0..100 where it is known. */
export type OnProgress = (message: string, percent: number | null) => void;

export interface RpcOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Who calls: what one client does to a device is told to the others [`JUGG_CLIENT`, else `cli`]. */
  readonly client?: string;
  /** Asks for progress, which comes as an event stream. */
  readonly onProgress?: OnProgress;
}

/** A little more than a call may last on the server (45 s). */
const CALL_TIMEOUT_MS = 50_000;

/** One request; rejects when the server does not answer in time or not in JSON-RPC. */
export function rpc(
  target: RpcTarget,
  method: string,
  params: Readonly<Record<string, unknown>>,
  options: RpcOptions = {},
): Promise<RpcReply> {
  const { onProgress } = options;
  const asked = onProgress ? { ...params, _meta: { progressToken: 1 } } : params;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: asked });
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
          accept: onProgress ? 'application/json, text/event-stream' : 'application/json',
          'content-length': Buffer.byteLength(body),
          authorization: `Bearer ${target.token}`,
          'x-jugg-client': options.client ?? process.env['JUGG_CLIENT'] ?? 'cli',
        },
        ...(options.signal ? { signal: options.signal } : {}),
      },
      (response) => {
        readReply(response, onProgress).then(resolve, (error: unknown) =>
          reject(
            new Error(
              `port ${target.port} did not answer in JSON-RPC (HTTP ${response.statusCode}): ${error instanceof Error ? error.message : String(error)}`,
            ),
          ),
        );
      },
    );
    const timeoutMs = options.timeoutMs ?? CALL_TIMEOUT_MS;
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    request.on('error', reject);
    request.end(body);
  });
}

async function readReply(response: IncomingMessage, onProgress: OnProgress | undefined): Promise<RpcReply> {
  response.setEncoding('utf8');
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
  let text = '';
  for await (const chunk of response as AsyncIterable<string>) {
    text += chunk;
    if (!isStream) continue;
    const { data, rest } = splitEvents(text);
    text = rest;
    for (const event of data) {
      const message: unknown = JSON.parse(event);
      if (isReply(message)) return message;
      tell(message, onProgress);
    }
  }
  const whole: unknown = JSON.parse(text);
  if (!isReply(whole)) throw new Error('neither a result nor an error');
  return whole;
}

function isReply(message: unknown): message is RpcReply {
  return typeof message === 'object' && message !== null && ('result' in message || 'error' in message);
}

function tell(message: unknown, onProgress: OnProgress | undefined): void {
  if (typeof message !== 'object' || message === null || !('params' in message)) return;
  const { params } = message;
  if (typeof params !== 'object' || params === null || !('message' in params)) return;
  const percent =
    'total' in params && 'progress' in params && typeof params.progress === 'number' ? params.progress : null;
  if (typeof params.message === 'string') onProgress?.(params.message, percent);
}
