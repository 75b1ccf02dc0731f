import type { IncomingMessage } from 'node:http';
import { FIRST_STATELESS, PROTOCOL_VERSIONS } from '../shared/protocol-versions.ts';
import type { Refusal } from './http-body.ts';
import { headerValues } from './http-guards.ts';

const BOTH_TYPES = 'application/json, text/event-stream';
const SUPPORTED: ReadonlySet<string> = new Set(PROTOCOL_VERSIONS);
/** A revision named in the header that nobody serves (SDK's UnsupportedProtocolVersion); older clients know -32000. */
const UNSUPPORTED_MODERN = -32022;
const UNSUPPORTED_LEGACY = -32000;
/** How the choice of an event stream travels through the SDK: `yes`, `no`, `if-needed`. */
export const STREAM_HEADER = 'x-jugg-stream';

/**
 * The SDK demands both media types; clients need not name them. Where an event stream can be read it is used at once when
 * somebody asked for progress, else only if something has to be said before the answer (no tool of ours does that). The
 * choice travels in a header of our own that no client can set.
 */
export function forceAccept(request: IncomingMessage, message: Record<string, unknown>): void {
  const accept = headerValues(request, 'accept').join(',').toLowerCase();
  const params = message['params'];
  const meta = typeof params === 'object' && params !== null && '_meta' in params ? params._meta : undefined;
  const wantsProgress = typeof meta === 'object' && meta !== null && 'progressToken' in meta;
  const readsStreams = accept.includes('text/event-stream');
  const choice = !readsStreams ? 'no' : wantsProgress ? 'yes' : 'if-needed';
  const kept: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    // A session id of an earlier server must not matter: there are no sessions.
    if (['accept', STREAM_HEADER, 'mcp-session-id'].includes(name.toLowerCase())) continue;
    kept.push(name, request.rawHeaders[index + 1] ?? '');
  }
  request.rawHeaders.splice(
    0,
    request.rawHeaders.length,
    ...kept,
    'Accept',
    BOTH_TYPES,
    STREAM_HEADER,
    choice,
  );
  delete request.headers['mcp-session-id'];
  request.headers.accept = BOTH_TYPES;
  request.headers[STREAM_HEADER] = choice;
}

/** Whether nothing in the headers says that a request is of a stateless revision. */
export function isOfOlderRevision({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const revision = headers['mcp-protocol-version'];
  if (typeof revision === 'string' && revision.trim() >= FIRST_STATELESS) return false;
  return headers['mcp-method'] === undefined && headers['mcp-name'] === undefined;
}

/** Why a request is refused that names a revision which is not served. */
export function unsupportedVersion(request: IncomingMessage): Refusal | undefined {
  const asked = headerValues(request, 'mcp-protocol-version')[0]?.trim();
  if (asked === undefined || SUPPORTED.has(asked)) return undefined;
  return {
    status: 400,
    code: asked >= FIRST_STATELESS ? UNSUPPORTED_MODERN : UNSUPPORTED_LEGACY,
    message: 'Unsupported MCP-Protocol-Version',
    data: { supported: PROTOCOL_VERSIONS, requested: asked.slice(0, 40) },
  };
}
