import { callTool } from '../../actions/call.ts';
import type { Envelope } from '../../actions/envelope.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** A step of the demo went otherwise than it should; the message says which and how. */
export class DemoFailure extends Error {}

/** Calls tools as an agent would, in this process. */
export class DemoSession {
  readonly #runtime: Runtime;
  readonly #projectDir: string;
  readonly #serial: string;
  readonly #signal: AbortSignal;

  constructor(runtime: Runtime, projectDir: string, serial: string, signal: AbortSignal) {
    this.#runtime = runtime;
    this.#projectDir = projectDir;
    this.#serial = serial;
    this.#signal = signal;
  }

  /** Any answer, also an ERROR; a job is polled to its end. */
  async any(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Envelope> {
    const caller = { trusted: true, signal: this.#signal };
    let reply = await callTool(this.#runtime, tool, { projectDir: this.#projectDir, ...args }, caller);
    while (reply?.envelope.data['isFinal'] === false && !this.#signal.aborted) {
      const { jobId } = reply.envelope.data;
      reply = await callTool(
        this.#runtime,
        'get-compile-status',
        { projectDir: this.#projectDir, jobId, waitTimeoutMs: 20_000 },
        caller,
      );
    }
    if (this.#signal.aborted) throw new DemoFailure('interrupted');
    if (!reply) throw new DemoFailure(`there is no tool ${tool}`);
    return reply.envelope;
  }

  /** An answer that must be OK. */
  async ok(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Envelope> {
    const envelope = await this.any(tool, args);
    if (envelope.status !== 'OK')
      throw new DemoFailure(`${tool}: ${envelope.errorCode}: ${envelope.message}`);
    return envelope;
  }

  onDevice(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Envelope> {
    return this.ok(tool, { serial: this.#serial, ...args });
  }

  /** Deploys and says how it went; `wanted` is the only deploy type that will do. */
  async deploy(wanted: readonly string[]): Promise<string> {
    const { data, message } = await this.onDevice('deploy', { waitAppReadyAfterSuccess: true });
    const type = String(data['deployType']);
    if (!wanted.includes(type))
      throw new DemoFailure(`deploy chose ${type}, expected ${wanted.join(' or ')}: ${message}`);
    return type;
  }

  /** Finds exactly one element with that text. */
  async find(text: string): Promise<string> {
    const { data } = await this.onDevice('view-locate', { target: { text } });
    if (data['matchCount'] !== 1)
      throw new DemoFailure(`"${text}" is there ${String(data['matchCount'])} times, expected once`);
    return `"${text}" is on the screen`;
  }

  /** Height in dp of the one element with that id. */
  async heightOf(resourceId: string): Promise<number> {
    const { data } = await this.onDevice('view-locate', { target: { resourceId } });
    const { size } = data;
    if (!Array.isArray(size) || typeof size[1] !== 'number')
      throw new DemoFailure(`#${resourceId} has no size`);
    return size[1];
  }

  /** Pid of the app's process that is on top. */
  async pid(): Promise<number> {
    const { data } = await this.onDevice('wait-logs');
    const processes: unknown = data['processes'];
    const running: unknown = Array.isArray(processes)
      ? processes.find(
          (process: unknown) =>
            typeof process === 'object' &&
            process !== null &&
            'state' in process &&
            process.state === 'running',
        )
      : undefined;
    if (
      typeof running === 'object' &&
      running !== null &&
      'pid' in running &&
      typeof running.pid === 'number'
    )
      return running.pid;
    throw new DemoFailure('the app has no process');
  }
}
