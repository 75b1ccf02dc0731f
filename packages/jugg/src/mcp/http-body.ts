import type { IncomingMessage } from 'node:http';

export const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/** Why a request is answered without its tool: HTTP status, JSON-RPC code, a sentence for the client's developer. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export type Body =
  | { readonly kind: 'message'; readonly value: Record<string, unknown> }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

function refused(status: number, code: number, message: string): Body {
  return { kind: 'refused', refusal: { status, code, message } };
}

/** Reads one JSON-RPC message; never throws but when the connection breaks. */
export async function readMessage(request: IncomingMessage): Promise<Body> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > BODY_LIMIT_BYTES)
    return refused(413, -32600, `The body is larger than ${BODY_LIMIT_BYTES} bytes`);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return refused(415, -32600, 'Compressed bodies are not supported');
  }
  const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') return refused(415, -32600, 'Content-Type must be application/json');
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early must not break the connection on which the refusal is to be read.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES)
      return refused(413, -32600, `The body is larger than ${BODY_LIMIT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return parseMessage(Buffer.concat(chunks));
}

/** One JSON-RPC message from its bytes, or why it is none. */
export function parseMessage(bytes: Buffer): Body {
  let value: unknown;
  try {
    // A byte sequence that is not UTF-8 must be refused, not repaired.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return refused(400, -32700, 'Parse error: the body is not JSON');
  }
  if (Array.isArray(value)) return refused(400, -32600, 'Invalid request: batches are not supported');
  if (typeof value !== 'object' || value === null)
    return refused(400, -32600, 'Invalid request: expected a JSON-RPC object');
  const message = value as Record<string, unknown>;
  if (message['jsonrpc'] !== '2.0') return refused(400, -32600, 'Invalid request: jsonrpc must be "2.0"');
  const isResponse = !('method' in message) && ('result' in message || 'error' in message);
  if (!isResponse && typeof message['method'] !== 'string')
    return refused(400, -32600, 'Invalid request: method must be a string');
  const { id } = message;
  if (
    'id' in message &&
    !isResponse &&
    typeof id !== 'string' &&
    !(typeof id === 'number' && Number.isSafeInteger(id))
  ) {
    return refused(400, -32600, 'Invalid request: id must be a string or a whole number up to 2^53');
  }
  const { params } = message;
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) {
    return refused(400, -32602, 'Invalid params: params must be an object');
  }
  return { kind: 'message', value: message };
}
