import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import type { ErrorCode } from '../shared/errors.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { answerSchema } from './inspector-wire.ts';

/** As in the inspector's Frames: dex files arrive in one message. */
const MAX_BYTES = 64 << 20;

/** The inspector's own codes in the contract's. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  BUSY: 'UI_NOT_IDLE',
  STALE_REF: 'ELEMENT_NOT_FOUND',
  NO_WINDOW: 'APP_NOT_FOREGROUND',
  NO_FIELD: 'ELEMENT_NOT_FOUND',
  UNSUPPORTED: 'FEATURE_NOT_SUPPORTED',
  REDEFINE_FAILED: 'DEPLOY_FAILED',
  UNAUTHORIZED: 'FEATURE_NOT_SUPPORTED',
};

/** What the caller can do, where the inspector's own words do not say it. */
const ADVICE: Readonly<Record<string, string>> = {
  BUSY: 'The app hangs, or is very busy: wait-logs may tell why, restart ends it.',
  STALE_REF: 'layout-dump or view-locate tell what is there now.',
  NO_FIELD: 'Pass target to name a text field, or tap one first.',
};

interface Pending {
  settle(result: Result<unknown>): void;
}

/** One kept connection to an inspector; requests may be made side by side, answers find theirs by id. */
export class InspectorConnection {
  readonly #stream: Duplex;
  readonly #pending = new Map<number, Pending>();
  #last = 0;
  #received: Buffer = Buffer.alloc(0);
  #open = true;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    const end = (): void => this.#end('The app went away, or closed its inspector.');
    stream.on('end', end);
    stream.on('close', end);
    stream.on('error', end);
  }

  get open(): boolean {
    return this.#open;
  }

  /** `APP_NOT_RUNNING` when the connection has ended or ends before the answer. */
  async request<T>(
    method: string,
    params: Readonly<Record<string, unknown>>,
    schema: z.ZodType<T>,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Result<T>> {
    const answer = await this.#send(method, params, timeoutMs, signal);
    if (!answer.ok) return answer;
    const parsed = schema.safeParse(answer.value);
    if (parsed.success) return ok(parsed.data);
    return fail('FEATURE_NOT_SUPPORTED', `The inspector's answer to ${method} is not understood.`);
  }

  close(): void {
    this.#end('The connection to the inspector was closed.');
    this.#stream.destroy();
  }

  #send(
    method: string,
    params: Readonly<Record<string, unknown>>,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Result<unknown>> {
    if (!this.#open)
      return Promise.resolve(fail('APP_NOT_RUNNING', 'The connection to the inspector has ended.'));
    if (signal.aborted) return Promise.resolve(fail('CANCELED', `${method} was canceled.`));
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      const settle = (result: Result<unknown>): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', canceled);
        this.#pending.delete(id);
        resolve(result);
      };
      const canceled = (): void => settle(fail('CANCELED', `${method} was canceled.`));
      const timer = setTimeout(
        () => settle(fail('TIMEOUT', `The inspector did not answer ${method} within ${timeoutMs} ms.`)),
        timeoutMs,
      );
      signal.addEventListener('abort', canceled, { once: true });
      this.#pending.set(id, { settle });
      this.#stream.write(frame(JSON.stringify({ id, method, params })));
    });
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    while (this.#received.length >= 4) {
      const length = this.#received.readUInt32BE(0);
      if (length > MAX_BYTES) return this.close();
      if (this.#received.length < 4 + length) return;
      const text = this.#received.toString('utf8', 4, 4 + length);
      this.#received = this.#received.subarray(4 + length);
      this.#answer(text);
    }
  }

  #answer(text: string): void {
    const answer = answerSchema.safeParse(parseJson(text)).data;
    if (!answer) return this.close();
    const pending = this.#pending.get(answer.id);
    // An answer that nobody waits for any more came after its time.
    if (!pending) return;
    if (!('error' in answer)) return pending.settle(ok(answer.result));
    const { code, message } = answer.error;
    pending.settle(
      fail(CODES[code] ?? 'FEATURE_NOT_SUPPORTED', sentence(code, message), {
        data: { inspectorCode: code, ...(code === 'STALE_REF' ? { staleRef: true } : {}) },
      }),
    );
  }

  #end(why: string): void {
    this.#open = false;
    for (const pending of this.#pending.values()) pending.settle(fail('APP_NOT_RUNNING', why));
  }
}

function frame(text: string): Buffer {
  const body = Buffer.from(text, 'utf8');
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sentence(code: string, message: string): string {
  const said = message.slice(0, 500);
  const advice = ADVICE[code];
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.${advice === undefined ? '' : ` ${advice}`}`;
}
