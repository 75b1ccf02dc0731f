import { timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpHandlerRequestOptions,
  type McpRequestContext,
  type Server,
} from '@modelcontextprotocol/server';
import { toNodeHandler, type NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { clientName, type HttpCaller } from './caller.ts';
import { answerUnreadable } from './http-unreadable.ts';
import { admit, type GuardSettings } from './http-guards.ts';
import { hasMalformedParams } from './known-requests.ts';
import { forceAccept, isOfOlderRevision, STREAM_HEADER, unsupportedVersion } from './http-headers.ts';
import { readMessage, type Refusal } from './http-body.ts';
import { callDirectly, directCall } from './direct-call.ts';
import { isOwnPeer } from './peer.ts';
import { plainIfSingle, withAllVersions } from './sdk-answers.ts';
import type { ToolBackend } from './server.ts';

export const MCP_PATH = '/jugg-mcp';

export interface HttpFrontOptions {
  /** A new MCP server for one request. */
  readonly build: (caller: HttpCaller) => Server;
  /** The tools behind that server: most calls go straight to them. */
  readonly backend: (caller: HttpCaller) => ToolBackend;
  readonly token: string;
  /** Its `port` is set once bound. */
  readonly guards: Omit<GuardSettings, 'port'>;
  readonly onRequest: () => void;
  readonly onError: (error: unknown) => void;
  /** Somebody who has the token asked the server to stop, or to stop if it is idle; whether it does. */
  readonly onStop: (onlyIfIdle: boolean) => boolean;
}

/** How patient the server is with a connection, in ms. */
export interface Patience {
  /** For all headers of a request to arrive. */
  readonly headers: number;
  /** For all of a request to arrive. */
  readonly request: number;
  /** Between two requests. */
  readonly idle: number;
  /** How often it looks. */
  readonly check: number;
}

const PATIENCE: Patience = { headers: 10_000, request: 30_000, idle: 10_000, check: 5_000 };
const MAX_HEADER_BYTES = 32 * 1024;
/** A body that was refused is taken in up to this size, so that its sender gets to read why. */
const MOST_DISCARDED = 64 * 1024 * 1024;
/** Far more than the agents of one user need; each costs a descriptor. Further ones are closed at once. */
const MOST_CONNECTIONS = 1000;

/** Not part of MCP: how `jugg stop`, and a newer `jugg`, end a server on every system. */
const STOP_METHOD = 'jugg/stop';

/** How the user's token travels through the SDK. */
const TRUSTED = 'user';

function callerOf(auth: AuthInfo | undefined): HttpCaller {
  return { trusted: auth?.scopes.includes(TRUSTED) ?? false, client: auth?.clientId ?? '' };
}

/**
 * The lenient front of the official SDK: decides itself what the contract (§5) says about paths, methods, hosts, bodies
 * and revisions, then hands one well-formed message over. Takes any Accept header, and answers JSON unless the client
 * asked for progress and can read an event stream.
 */
export class HttpFront {
  readonly #options: HttpFrontOptions;
  readonly #handle: ReturnType<typeof toNodeHandler>;
  readonly #peers = new WeakMap<Socket, Promise<boolean>>();
  #port = 0;
  #closing = false;
  #answering = 0;

  constructor(options: HttpFrontOptions) {
    this.#options = options;
    const factory = ({ authInfo }: McpRequestContext): Server => options.build(callerOf(authInfo));
    const modern = createMcpHandler(factory, { legacy: 'reject', onerror: options.onError });
    this.#handle = toNodeHandler(
      {
        fetch: async (request: Request, given?: McpHandlerRequestOptions) =>
          (await isLegacyRequest(request, given?.parsedBody))
            ? this.#legacy(request, given)
            : withAllVersions(await modern.fetch(request, given), given?.parsedBody),
      },
      { onerror: options.onError },
    );
  }

  /** One server for one address; all of them answer alike. */
  createServer(patience: Patience = PATIENCE): HttpServer {
    const server = createServer(
      {
        headersTimeout: patience.headers,
        requestTimeout: patience.request,
        keepAliveTimeout: patience.idle,
        connectionsCheckingInterval: patience.check,
        maxHeaderSize: MAX_HEADER_BYTES,
        noDelay: true,
        // Without a Host it is refused like one with a foreign Host, in JSON.
        requireHostHeader: false,
      },
      (request, response) => {
        this.#answering += 1;
        this.#answer(request, response)
          .catch((error: unknown) => {
            // A client that is gone in the middle of its body is no error of ours.
            if (!request.destroyed || request.complete) this.#options.onError(error);
            if (response.headersSent) response.destroy();
            else refuse(response, { status: 500, code: -32603, message: 'Internal error' });
          })
          .finally(() => {
            this.#answering -= 1;
          });
      },
    );
    server.maxConnections = MOST_CONNECTIONS;
    server.on('clientError', answerUnreadable);
    return server;
  }

  /** To be told once, when the port is known. */
  set port(port: number) {
    this.#port = port;
  }

  /** From now on answers 503: what runs is finished, nothing new is begun. */
  beginClosing(): void {
    this.#closing = true;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#options.onRequest();
    if (!(await this.#isOwnPeer(request.socket))) {
      return refuse(response, { status: 403, code: -32600, message: 'This user is not allowed' });
    }
    const admission = admit(request, { ...this.#options.guards, port: this.#port });
    const trusted = this.#hasToken(request);
    if (admission === 'refused' || (admission === 'token' && !trusted)) {
      return refuse(response, {
        status: 403,
        code: -32600,
        message: 'This host, origin or client is not allowed',
      });
    }
    const path = (request.url ?? '').split('?')[0];
    if (path !== MCP_PATH) return json(response, 404, { error: 'not_found' });
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { allow: 'POST' }).end();
      return;
    }
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      return refuse(
        response,
        { status: 405, code: -32000, message: 'Method not allowed: use POST' },
        request.method === 'HEAD',
      );
    }
    if (this.#closing) {
      response.setHeader('retry-after', '1');
      return refuse(response, { status: 503, code: -32000, message: 'The server is stopping' });
    }
    const versionRefusal = unsupportedVersion(request);
    const body = await readMessage(request);
    if (body.kind === 'refused') {
      // Most clients read no answer before they have sent all of their body: the rest is taken in and thrown away.
      if (Number(request.headers['content-length'] ?? 0) > MOST_DISCARDED)
        response.setHeader('connection', 'close');
      else request.resume();
      return refuse(response, body.refusal);
    }
    const id = body.value['id'];
    if (versionRefusal) return refuse(response, versionRefusal, false, id);
    // Notifications and responses have no id or no method; they are taken note of, never executed as calls.
    if (id === undefined || !('method' in body.value)) {
      response.writeHead(202).end();
      return;
    }
    if (trusted && body.value['method'] === STOP_METHOD) {
      const onlyIfIdle = stopsOnlyIfIdle(body.value['params']);
      // This very request is one of those that are answered just now.
      const stopping = onlyIfIdle && this.#answering > 1 ? false : this.#options.onStop(onlyIfIdle);
      return json(response, 200, { jsonrpc: '2.0', id, result: { stopping } });
    }
    const direct = directCall(request, body.value);
    if (direct) {
      const caller = { trusted, client: clientName(request.headers) };
      const result = await callDirectly(this.#options.backend(caller), direct, response);
      if (result) return json(response, 200, { jsonrpc: '2.0', id, result });
      // The SDK words what it means that there is no such tool.
    }
    if (isOfOlderRevision(request) && hasMalformedParams(body.value)) {
      const message = `Invalid params: they are not those of ${String(body.value['method'])}`;
      return refuse(response, { status: 200, code: -32602, message }, false, id);
    }
    forceAccept(request, body.value);
    const auth: AuthInfo = {
      token: '',
      clientId: clientName(request.headers),
      scopes: trusted ? [TRUSTED] : [],
    };
    // Node.js types its optional fields with `undefined`, the SDK without; the objects are the same.
    await this.#handle(Object.assign(request, { auth }) as NodeIncomingMessageLike, response, body.value);
  }

  async #legacy(request: Request, given: McpHandlerRequestOptions | undefined): Promise<Response> {
    const server = this.#options.build(callerOf(given?.authInfo));
    const choice = request.headers.get(STREAM_HEADER);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: choice === 'no' });
    await server.connect(transport);
    // The client is gone: its call ends; what the call had started goes on.
    request.signal.addEventListener('abort', () => void transport.close(), { once: true });
    const response = await transport.handleRequest(request, given);
    return choice === 'if-needed' ? plainIfSingle(response) : response;
  }

  /** Asked once a connection: who is at its other end does not change. */
  #isOwnPeer(socket: Socket): Promise<boolean> {
    const known = this.#peers.get(socket) ?? isOwnPeer(socket);
    this.#peers.set(socket, known);
    return known;
  }

  #hasToken(request: IncomingMessage): boolean {
    const given = Buffer.from(request.headers.authorization ?? '');
    const wanted = Buffer.from(`Bearer ${this.#options.token}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

function stopsOnlyIfIdle(params: unknown): boolean {
  return typeof params === 'object' && params !== null && 'ifIdle' in params && params.ifIdle === true;
}

function refuse(response: ServerResponse, refusal: Refusal, headersOnly = false, id: unknown = null): void {
  const { status, code, message, data } = refusal;
  json(
    response,
    status,
    { jsonrpc: '2.0', id: id ?? null, error: { code, message, ...(data ? { data } : {}) } },
    headersOnly,
  );
}

function json(response: ServerResponse, status: number, value: unknown, headersOnly = false): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(headersOnly ? undefined : text);
}
