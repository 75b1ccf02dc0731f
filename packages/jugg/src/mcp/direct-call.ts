import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isOfOlderRevision } from './http-headers.ts';
import type { ToolBackend } from './server.ts';

/** A `tools/call` that needs nothing of the SDK: its name and arguments. */
export interface DirectCall {
  readonly name: string;
  readonly args: unknown;
}

/**
 * Whether a message is a plain `tools/call` of the older revisions: well formed, no `_meta` (so no progress, and no newer
 * revision), no headers of the newer one. Nearly all calls are; everything else takes the way through the SDK, which also
 * words what is wrong.
 */
export function directCall(
  request: Pick<IncomingMessage, 'headers'>,
  message: Readonly<Record<string, unknown>>,
): DirectCall | undefined {
  if (message['method'] !== 'tools/call') return undefined;
  if (!isOfOlderRevision(request)) return undefined;
  const { params } = message;
  if (typeof params !== 'object' || params === null || '_meta' in params || !('name' in params))
    return undefined;
  const args = 'arguments' in params ? params.arguments : undefined;
  if (args !== undefined && (typeof args !== 'object' || args === null || Array.isArray(args)))
    return undefined;
  return typeof params.name === 'string' ? { name: params.name, args } : undefined;
}

/** Calls the tool; `undefined` when there is none of that name. The call's signal ends with the client. */
export async function callDirectly(
  backend: ToolBackend,
  { name, args }: DirectCall,
  response: ServerResponse,
): Promise<CallToolResult | undefined> {
  const gone = new AbortController();
  const onClose = (): void => gone.abort();
  response.once('close', onClose);
  try {
    return await backend.call(name, args, { signal: gone.signal });
  } finally {
    response.off('close', onClose);
  }
}
