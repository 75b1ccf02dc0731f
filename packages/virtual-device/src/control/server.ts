import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** More than any request needs. */
const MAX_BODY = 1024 * 1024;

/** Serves one path; the request has passed the guards. */
export type Route = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void;

export interface ControlServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface ControlRoutes {
  /** `POST /control` with `Authorization: Bearer <token>`. */
  readonly token: string;
  control(body: unknown): Promise<unknown>;
  /** Everything else. */
  readonly other: Route;
}

/**
 * The daemon's own door, beside adb: HTTP on the loopback. Who has not the token of the state file, which only the
 * user can read, gets nothing; a web page of another site is refused by Host and Origin.
 */
export async function startControl(routes: ControlRoutes): Promise<ControlServer> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      process.stderr.write(`virtual-device: control: ${String(error)}\n`);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  let port = 0;
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOwnHost(request, port)) return refuse(response, 403, 'wrong host or origin');
    const url = new URL(request.url ?? '/', `http://127.0.0.1:${port}`);
    if (url.pathname !== '/control') return routes.other(request, response, url);
    if (request.method !== 'POST') return refuse(response, 405, 'POST only');
    const given = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!sameSecret(given, routes.token)) return refuse(response, 401, 'wrong token');
    const body = await readJson(request);
    if (body === undefined) return refuse(response, 400, 'not JSON, or too much of it');
    sendJson(response, await routes.control(body));
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0, exclusive: true }, resolve);
  });
  // A TCP server that listens has an address of this kind.
  port = (server.address() as AddressInfo).port;
  return {
    port,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function isOwnHost({ headers }: IncomingMessage, port: number): boolean {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host = '', origin } = headers;
  return own.includes(host) && (origin === undefined || own.some((name) => origin === `http://${name}`));
}

export function sameSecret(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** `undefined` when it is not JSON or too long. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    // A request without an encoding gives buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > MAX_BODY) return undefined;
    chunks.push(bytes);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

export function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${message}\n`);
}
