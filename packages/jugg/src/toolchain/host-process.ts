import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { ERROR_CODES } from '../shared/errors.ts';
import type { ErrorCode } from '../shared/errors.ts';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { CLASS_DATA_COMPLAINT } from './class-data.ts';
import { diagnostic } from './host-replies.ts';

const hostError = z.object({
  code: z.string(),
  message: z.string(),
  /** What the compiler said, where it is the cause. */
  diagnostics: z.array(diagnostic),
});

/** One line of the host: an answer to a request, or an event. Source: `jvm/compile-host`, class Answers. */
const hostMessage = z.union([
  z.object({ id: z.number(), result: z.unknown() }),
  z.object({ id: z.number(), error: hostError }),
  z.object({ event: z.literal('log'), params: z.object({ id: z.number(), line: z.string() }) }),
  z.object({ event: z.literal('memory'), params: z.object({ live: z.number(), max: z.number() }) }),
  z.object({ event: z.literal('ready'), params: z.object({ pid: z.number(), java: z.string() }) }),
]);
type HostMessage = z.infer<typeof hostMessage>;

export interface HostCall {
  readonly signal: AbortSignal;
  /** A call that takes longer ends the host: nothing it does is that slow unless it hangs. */
  readonly timeoutMs: number;
  readonly log: (line: string) => void;
}

interface Pending {
  readonly log: (line: string) => void;
  readonly settle: (result: Result<unknown>) => void;
}

export interface HostCommand {
  /** Absolute path of the Java launcher. */
  readonly java: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The JVM cannot map its class-data archive. */
  readonly onClassDataComplaint?: () => void;
}

/** The host answers a cancel at once; one that does not is taken as hung. */
const CANCEL_GRACE_MS = 2000;

/** The host ends when its input does, at once. */
const CLOSE_GRACE_MS = 5000;

const TAIL_LINES = 40;

/** One running compile host: requests out, answers in, and a log of what it printed. */
export class HostProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #pending = new Map<number, Pending>();
  readonly #tail: string[] = [];
  readonly #ended: Promise<void>;
  #nextId = 1;
  #alive = true;
  /** Being killed: it takes no more calls. */
  #doomed = false;
  #endedWell = false;
  #fullness = 0;
  #onIdle: (() => void) | null = null;

  constructor({ java, args, env, onClassDataComplaint }: HostCommand) {
    this.#child = spawn(java, args, { env, stdio: 'pipe', windowsHide: true });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#onLine(line));
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      if (CLASS_DATA_COMPLAINT.test(line)) onClassDataComplaint?.();
      this.#remember(line);
    });
    // Writing to a host that has just died: its end is reported below.
    this.#child.stdin.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => this.#onEnd(error.message, resolve));
      this.#child.once('close', (code, signal) => {
        this.#endedWell = code === 0;
        this.#onEnd(`exit ${signal ?? code}`, resolve);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get alive(): boolean {
    return this.#alive && !this.#doomed;
  }

  get idle(): boolean {
    return this.#pending.size === 0;
  }

  /** Resolves when no call is running; for one waiter. */
  async whenIdle(): Promise<void> {
    if (!this.idle) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  /** Live heap after the last collection as a part of its ceiling, 0..1. */
  get fullness(): number {
    return this.#fullness;
  }

  async call(method: string, params: unknown, options: HostCall): Promise<Result<unknown>> {
    if (options.signal.aborted) return canceled();
    if (!this.alive) return this.#dead('has ended');
    const id = this.#nextId++;
    return new Promise((resolve) => {
      let graceTimer: NodeJS.Timeout | undefined;
      const settle = (result: Result<unknown>): void => {
        clearTimeout(timer);
        clearTimeout(graceTimer);
        options.signal.removeEventListener('abort', onAbort);
        this.#pending.delete(id);
        resolve(result);
        if (this.idle) this.#onIdle?.();
      };
      const onAbort = (): void => {
        this.#send({ method: 'cancel', params: { id } });
        graceTimer = setTimeout(() => {
          settle(canceled());
          this.kill();
        }, CANCEL_GRACE_MS);
      };
      const timer = setTimeout(() => {
        settle(this.#dead(`did not answer ${method} within ${options.timeoutMs / 1000} s and was ended`));
        this.kill();
      }, options.timeoutMs);
      options.signal.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, { log: options.log, settle });
      this.#send({ id, method, params });
    });
  }

  /** Ends the host in an orderly way, and by force when it takes too long; answers whether it ended well. */
  async close(graceMs = CLOSE_GRACE_MS): Promise<boolean> {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.kill(), graceMs);
    await this.#ended;
    clearTimeout(timer);
    return this.#endedWell;
  }

  kill(): void {
    this.#doomed = true;
    this.#child.kill('SIGKILL');
  }

  #send(message: unknown): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #onLine(line: string): void {
    const message = parse(line);
    if (message === null) {
      // The virtual machine itself prints here at times, before our redirection or when it crashes.
      this.#remember(line);
      return;
    }
    if ('event' in message) this.#onEvent(message);
    else if ('error' in message) {
      this.#pending.get(message.id)?.settle(this.#fault(message.error));
    } else this.#pending.get(message.id)?.settle(ok(message.result));
  }

  #onEvent(message: Extract<HostMessage, { event: string }>): void {
    if (message.event === 'log') this.#pending.get(message.params.id)?.log(message.params.line);
    if (message.event === 'memory') this.#fullness = message.params.live / message.params.max;
  }

  #onEnd(how: string, resolve: () => void): void {
    if (!this.#alive) return;
    this.#alive = false;
    for (const pending of this.#pending.values()) pending.settle(this.#dead(`ended (${how})`));
    resolve();
  }

  #fault({ code, message, diagnostics }: z.infer<typeof hostError>): Result<never> {
    const known = isErrorCode(code) ? code : 'INTERNAL_ERROR';
    // The log belongs to failures of the host and of its machine, not to those of the program.
    const isHosts = known === 'INTERNAL_ERROR' || known === 'ENVIRONMENT_ERROR';
    return fail(known, message, {
      data: {
        ...(diagnostics.length > 0 ? { diagnostics } : {}),
        ...(isHosts ? { log: this.#tail.join('\n') } : {}),
      },
    });
  }

  #dead(what: string): Result<never> {
    return fail('ENVIRONMENT_ERROR', `The compile host ${what}. The next call starts it again.`, {
      data: { log: this.#tail.join('\n') },
    });
  }

  #remember(line: string): void {
    this.#tail.push(line);
    if (this.#tail.length > TAIL_LINES) this.#tail.shift();
  }
}

function parse(line: string): HostMessage | null {
  try {
    const parsed = hostMessage.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function isErrorCode(code: string): code is ErrorCode {
  return ERROR_CODES.some((known) => known === code);
}

function canceled(): Result<never> {
  return fail('CANCELED', 'The call was cancelled.');
}
