import type {
  AppProcessFault,
  AppProcessResult,
  Method,
  ParamsOf,
  RequestOptions,
  ResultOf,
} from './types.ts';
import { answerSchema, METHODS } from './types.ts';

interface OpenCall {
  settle(result: AppProcessResult<unknown>): void;
}

/** Longer than any settled answer takes, shorter than a client's patience. */
const DEFAULT_TIMEOUT_MS = 20_000;

/** The open requests of one app process: numbers them, matches answers, ends them by timeout, abort or the process's end. */
export class Calls {
  readonly #send: (line: string) => void;
  readonly #open = new Map<number, OpenCall>();
  #nextId = 1;
  #ended: AppProcessFault | undefined;

  constructor(send: (line: string) => void) {
    this.#send = send;
  }

  async request<M extends Method>(
    method: M,
    params: ParamsOf<M>,
    options: RequestOptions = {},
  ): Promise<AppProcessResult<ResultOf<M>>> {
    const answer = await this.#raw(method, params, options);
    if (!answer.ok) return answer;
    const parsed = METHODS[method].result.safeParse(answer.value);
    if (!parsed.success) return fault('BAD_ANSWER', `${method}: ${parsed.error.message}`);
    // The schema of `method` has just accepted the value; the union type of all schemas cannot say so.
    return { ok: true, value: parsed.data as ResultOf<M> };
  }

  #raw(method: Method, params: unknown, options: RequestOptions): Promise<AppProcessResult<unknown>> {
    if (this.#ended) return Promise.resolve({ ok: false, fault: this.#ended });
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    if (signal?.aborted) return Promise.resolve(fault('CANCELED', `${method} was canceled`));
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const onAbort = (): void => call.settle(fault('CANCELED', `${method} was canceled`));
      const timer = setTimeout(() => {
        call.settle(fault('TIMEOUT', `the app process did not answer ${method} in ${timeoutMs} ms`));
      }, timeoutMs);
      const call: OpenCall = {
        settle: (result) => {
          if (!this.#open.delete(id)) return;
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          resolve(result);
        },
      };
      this.#open.set(id, call);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#send(`${JSON.stringify({ id, method, params })}\n`);
    });
  }

  /** Takes a message of the process; false when it is no answer. */
  accept(message: unknown): boolean {
    const parsed = answerSchema.safeParse(message);
    if (!parsed.success) return false;
    const answer = parsed.data;
    // An answer to nobody: the caller has given up.
    this.#open
      .get(answer.id)
      ?.settle('error' in answer ? { ok: false, fault: answer.error } : { ok: true, value: answer.result });
    return true;
  }

  /** The process is gone: open and later requests fail with this. */
  end(cause: AppProcessFault): void {
    this.#ended = cause;
    for (const call of this.#open.values()) call.settle({ ok: false, fault: cause });
  }
}

export function fault(code: AppProcessFault['code'], message: string): { ok: false; fault: AppProcessFault } {
  return { ok: false, fault: { code, message } };
}
