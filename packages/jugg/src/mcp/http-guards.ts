import type { IncomingMessage } from 'node:http';

export interface GuardSettings {
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/** `local` needs nothing more; `token` is let in only with the user's token; `refused` is answered 403. */
export type Admission = 'local' | 'token' | 'refused';

const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Who may speak to the server (contract §5), decided before the body is read: a web page reaches a local port through
 * a foreign host name (DNS rebinding) or with an Origin of its own; a program of this user has neither.
 */
export function admit(request: Pick<IncomingMessage, 'rawHeaders'>, settings: GuardSettings): Admission {
  const hosts = headerValues(request, 'host');
  const origins = headerValues(request, 'origin');
  const [host] = hosts;
  // Two Host or Origin headers are two answers to the same question: nobody honest asks that way.
  if (host === undefined || hosts.length > 1 || origins.length > 1) return 'refused';
  const byHost = isLocalHost(host, settings.port) ? 'local' : allowed(host, settings.allowedHosts);
  if (byHost === 'refused') return 'refused';
  const [origin] = origins;
  if (origin === undefined) return byHost;
  const byOrigin = isOwnOrigin(origin, settings.port) ? 'local' : allowed(origin, settings.allowedOrigins);
  if (byOrigin === 'refused') return 'refused';
  return byHost === 'local' && byOrigin === 'local' ? 'local' : 'token';
}

function allowed(value: string, list: readonly string[]): 'token' | 'refused' {
  return list.some((entry) => entry.toLowerCase() === value.toLowerCase()) ? 'token' : 'refused';
}

function isLocalHost(host: string, port: number): boolean {
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host.trim().toLowerCase());
  if (!parts) return false;
  return LOCAL_NAMES.has(parts[1] ?? '') && (parts[2] === undefined || parts[2] === String(port));
}

function isOwnOrigin(origin: string, port: number): boolean {
  return [...LOCAL_NAMES].some((name) => origin.toLowerCase() === `http://${name}:${port}`);
}

/** All values of a header as they came, also of one that Node.js would merge or drop. */
export function headerValues(request: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === name) values.push(request.rawHeaders[index + 1] ?? '');
  }
  return values;
}
