import type { Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { limitEnvelope } from '../../src/actions/envelope.ts';
import type { HttpCaller } from '../../src/mcp/caller.ts';
import { HttpFront, type Patience } from '../../src/mcp/http.ts';
import { toToolResult } from '../../src/mcp/reply.ts';
import { buildServer, type BackendCaller, type ToolBackend } from '../../src/mcp/server.ts';
import { toolList } from '../../src/mcp/tools.ts';

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The real front with a backend that records what it was asked to do. */
export class FrontFixture {
  readonly ran: { name: string; args: unknown; trusted: boolean; client: string }[] = [];
  readonly front: HttpFront;
  readonly server: Server;
  toolTextChars = 0;
  onCall: (caller: BackendCaller) => Promise<void> = async () => {};
  stopAsked = false;

  constructor(
    port: number,
    guards = { allowedHosts: [] as string[], allowedOrigins: [] as string[] },
    patience?: Patience,
  ) {
    this.front = new HttpFront({
      backend: (caller) => this.#backend(caller),
      build: (caller) => buildServer(this.#backend(caller), '0.0.0'),
      token: 'secret-token',
      guards,
      onRequest: () => {},
      onError: () => {},
      onStop: () => {
        this.stopAsked = true;
        return true;
      },
    });
    this.front.port = port;
    this.server = this.front.createServer(patience);
  }

  #backend(who: HttpCaller): ToolBackend {
    return {
      list: async () => toolList(),
      call: async (name, args, caller) => {
        this.ran.push({ name, args, ...who });
        await this.onCall(caller);
        const data = { text: 'x'.repeat(this.toolTextChars) };
        const envelope = await limitEnvelope(
          { status: 'OK', message: 'done', data, artifacts: [], errorCode: null },
          async () => ({ type: 'json', path: '/tmp/whole.json' }),
        );
        return toToolResult({ envelope });
      },
    };
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this.address;
  }

  get address(): number {
    const address = this.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('does not listen');
    return address.port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Sends bytes as they are and reads one answer: no client library mends what the test wants broken. */
  async raw(request: Buffer | string): Promise<Answer> {
    const socket = connect(this.address, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
      socket.on('error', () => resolve());
    });
    socket.write(request);
    for (const until = performance.now() + 5000; performance.now() < until;) {
      const answer = parse(Buffer.concat(chunks));
      if (answer) {
        socket.destroy();
        return answer;
      }
      // Polling a socket of the same process: nothing else tells when an answer is whole.
      await Promise.race([closed, delay(5)]);
    }
    socket.destroy();
    throw new Error(`no whole answer: ${Buffer.concat(chunks).toString('utf8').slice(0, 200)}`);
  }

  post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const all = {
      host: `127.0.0.1:${this.address}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    return this.raw(`POST /jugg-mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
  }
}

function parse(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const rest = bytes.subarray(end + 4);
  const status = Number(statusLine.split(' ')[1]);
  if (headers.get('transfer-encoding') === 'chunked') {
    const text = rest.toString('utf8');
    return text.endsWith('0\r\n\r\n') ? { status, headers, body: dechunk(text) } : undefined;
  }
  const length = Number(headers.get('content-length') ?? 0);
  return rest.length >= length
    ? { status, headers, body: rest.subarray(0, length).toString('utf8') }
    : undefined;
}

function dechunk(text: string): string {
  let out = '';
  let at = 0;
  for (;;) {
    const line = text.indexOf('\r\n', at);
    const size = Number.parseInt(text.slice(at, line), 16);
    if (!(size > 0)) return out;
    out += text.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}
