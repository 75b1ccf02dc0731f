import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who sent an HTTP request. */
export interface HttpCaller {
  /** It carried the user's token. */
  readonly trusted: boolean;
  /** A name for the client that stays the same from call to call; it gives no rights. */
  readonly client: string;
}

const LONGEST_NAME = 64;

/**
 * There are no sessions, so a client is told from others by the name it gives itself (our CLI and stdio bridge do), else
 * by what it sends with every request anyway.
 */
export function clientName(headers: IncomingMessage['headers']): string {
  const given = headers['x-jugg-client'];
  if (typeof given === 'string' && /^[\w.:@ -]+$/.test(given)) return given.slice(0, LONGEST_NAME);
  const usual = `${headers.authorization ?? ''}\n${headers['user-agent'] ?? ''}`;
  return `http-${createHash('sha256').update(usual).digest('hex').slice(0, 8)}`;
}
