import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { isRefused } from '../adb/faults.ts';
import type { AdbConnection } from '../adb/types.ts';
import { attachRefusal, runAsRefusal } from '../formats/run-as.ts';
import { bothStreams } from '../formats/terminal.ts';
import type { Clock } from '../shared/clock.ts';
import { fail, ok, type Fault, type Result } from '../shared/outcome.ts';
import { InspectorConnection } from './inspector-connection.ts';
import { helloSchema } from './inspector-wire.ts';

/** What the inspectors of one device need to know. */
export interface InspectorsOptions {
  readonly connection: AdbConnection;
  readonly virtual: boolean;
  /** Absolute path of `inspector.jar` on this machine. */
  readonly jar: string;
  /** Shared with the inspectors that this server starts; nobody else may talk to them. */
  readonly nonce: string;
  readonly clock: Clock;
}

export interface InspectedApp {
  readonly packageName: string;
  readonly pid: number;
  readonly user: number;
}

interface Jar {
  readonly bytes: Buffer;
  readonly digest: string;
}

interface Greeted {
  readonly connection: InspectorConnection;
  /** Digest of the jar that runs in the app. */
  readonly version: string;
}

/** From the attach until the socket is there: the agent's class loading on a busy device. */
const ATTACH_LIMIT_MS = 5_000;
const CONNECT_POLL_MS = 25;
const HELLO_LIMIT_MS = 3_000;

function notLoaded(): Result<never> {
  const message = `The device did not load the inspector within ${ATTACH_LIMIT_MS / 1000} s; its log says why.`;
  return fail('FEATURE_NOT_SUPPORTED', message, { data: { mayComeLater: true } });
}

/** Not a refusal for good: the device may only have been slow. */
function mayComeLater(fault: Fault): boolean {
  return fault.data?.['mayComeLater'] === true;
}

/** One kept connection for each app; a process that is not the same any more is attached to anew. */
export class Inspectors {
  readonly #options: InspectorsOptions;
  readonly #sessions = new Map<string, { pid: number; connection: InspectorConnection }>();
  readonly #opening = new Map<string, Promise<Result<InspectorConnection>>>();
  /** Why a process cannot be entered: it stays so as long as it lives, and asking costs. */
  readonly #refused = new Map<number, Result<never>>();
  #highestRef = 0;
  #closed = false;
  #jar: Jar | undefined;

  constructor(options: InspectorsOptions) {
    this.#options = options;
  }

  /** The connection to the app's inspector, which is started if it is not there. */
  async get(app: InspectedApp, signal: AbortSignal): Promise<Result<InspectorConnection>> {
    const known = this.#sessions.get(app.packageName);
    if (known?.pid === app.pid && known.connection.open) return ok(known.connection);
    known?.connection.close();
    const refused = this.#refused.get(app.pid);
    if (refused) return refused;
    const key = `${app.packageName}:${app.pid}`;
    const opening =
      this.#opening.get(key) ?? this.#open(app, signal).finally(() => this.#opening.delete(key));
    this.#opening.set(key, opening);
    const opened = await opening;
    if (this.#closed) {
      if (opened.ok) opened.value.close();
      return fail('CANCELED', 'The device is not used any more.');
    }
    if (opened.ok) this.#sessions.set(app.packageName, { pid: app.pid, connection: opened.value });
    else if (
      ['NOT_DEBUGGABLE', 'FEATURE_NOT_SUPPORTED'].includes(opened.fault.code) &&
      !mayComeLater(opened.fault)
    )
      this.#refused.set(app.pid, opened);
    return opened;
  }

  /** Keeps refs of one process from coming again in the next: an old one must find nothing, not another view. */
  noteRefs(highest: number): void {
    this.#highestRef = Math.max(this.#highestRef, highest);
  }

  /** Process of the app's connection that is open now, without asking the device. */
  openPid(packageName: string): number | null {
    const known = this.#sessions.get(packageName);
    return known?.connection.open ? known.pid : null;
  }

  close(): void {
    this.#closed = true;
    for (const { connection } of this.#sessions.values()) connection.close();
    this.#sessions.clear();
  }

  async #open(app: InspectedApp, signal: AbortSignal): Promise<Result<InspectorConnection>> {
    if (!this.#options.virtual)
      return fail('FEATURE_NOT_SUPPORTED', 'The inspector cannot be started on this kind of device yet.');
    const jar = await this.#readJar();
    if (!jar.ok) return jar;
    // It may be there from before this server's connection was lost, or be that of another version of Jugg.
    let found = await this.#connect(app, signal);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      if (found.ok && found.value.version === jar.value.digest) break;
      if (found.ok) await this.#retire(found.value.connection, signal);
      const attached = await this.#attach(app, jar.value, signal);
      if (!attached.ok) return attached;
      found = await this.#connectSoon(app, signal);
      // A phone says nothing when it does not load an agent: nobody is there, is all that can be seen.
      if (!found.ok && isRefused(found.fault)) return notLoaded();
      if (!found.ok) break;
    }
    return found.ok ? ok(found.value.connection) : found;
  }

  /** Makes room for this version: the next attach takes the socket's name over. */
  async #retire(connection: InspectorConnection, signal: AbortSignal): Promise<void> {
    await connection.request('shutdown', {}, z.unknown(), { timeoutMs: HELLO_LIMIT_MS, signal });
    connection.close();
  }

  async #connectSoon(app: InspectedApp, signal: AbortSignal): Promise<Result<Greeted>> {
    const { clock } = this.#options;
    const end = clock.now() + ATTACH_LIMIT_MS;
    for (;;) {
      const connected = await this.#connect(app, signal);
      if (connected.ok || clock.now() >= end || signal.aborted) return connected;
      await clock.sleep(CONNECT_POLL_MS, signal);
    }
  }

  async #connect(app: InspectedApp, signal: AbortSignal): Promise<Result<Greeted>> {
    const stream = await this.#options.connection.openStream(`localabstract:jugg_${app.pid}`, {
      signal,
      timeoutMs: HELLO_LIMIT_MS,
    });
    if (!stream.ok) return stream;
    const connection = new InspectorConnection(stream.value);
    const hello = await connection.request('hello', { nonce: this.#options.nonce }, helloSchema, {
      timeoutMs: HELLO_LIMIT_MS,
      signal,
    });
    if (hello.ok && hello.value.pid === app.pid) return ok({ connection, version: hello.value.version });
    connection.close();
    return hello.ok ? fail('APP_NOT_RUNNING', 'Another process answered.') : hello;
  }

  /** Copies the inspector into the app's code cache, as the app itself, and has the system load it. */
  async #attach(app: InspectedApp, { digest, bytes }: Jar, signal: AbortSignal): Promise<Result<void>> {
    const { connection } = this.#options;
    const staged = `/data/local/tmp/jugg-inspector-${digest}.jar`;
    const stat = await connection.stat(staged, { signal });
    if (!stat.ok) return stat;
    if (stat.value?.size !== bytes.length) {
      const pushed = await connection.push(bytes, staged, { signal, mode: 0o644 });
      if (!pushed.ok) return pushed;
    }
    const relative = `code_cache/jugg/inspector-${digest}.jar`;
    const copied = await this.#copyAsApp(app, staged, relative, signal);
    if (!copied.ok) return copied;
    const data = app.user === 0 ? '/data/data' : `/data/user/${app.user}`;
    const path = `${data}/${app.packageName}/${relative}`;
    const options = [
      `jar=${path}`,
      'class=dev.jugg.inspector.Inspector',
      `args=${encodeURIComponent(`socket=jugg_${app.pid}&nonce=${this.#options.nonce}&version=${digest}&base=${this.#highestRef}`)}`,
    ];
    const command = ['am', 'attach-agent', String(app.pid), `${path}=${options.join(',')}`];
    const attached = await connection.shell(command, { signal });
    if (!attached.ok) return attached;
    const refusal = attachRefusal(bothStreams(attached.value.stdout, attached.value.stderr));
    if (refusal) return fail(refusal.code, `The device did not load the inspector: ${refusal.line}`);
    return ok(undefined);
  }

  async #copyAsApp(
    { packageName, user }: InspectedApp,
    from: string,
    to: string,
    signal: AbortSignal,
  ): Promise<Result<void>> {
    const runAs = ['run-as', packageName, ...(user === 0 ? [] : ['--user', String(user)])];
    for (const command of [
      ['mkdir', '-p', 'code_cache/jugg'],
      ['cp', from, to],
      // Apps that target Android 14 may not load code from a file that they could write.
      ['chmod', '444', to],
    ]) {
      const done = await this.#options.connection.shell([...runAs, ...command], { signal });
      if (!done.ok) return done;
      const output = bothStreams(done.value.stdout, done.value.stderr);
      const refusal = runAsRefusal(output);
      if (refusal) return fail(refusal.code, `The app cannot be entered: ${refusal.line}`);
      // The file is read-only when an earlier attach has copied it: its name says what it holds.
      if (done.value.exitCode !== 0 && command[0] === 'mkdir')
        return fail('FEATURE_NOT_SUPPORTED', `The inspector could not be copied: ${output.slice(0, 300)}`);
    }
    return ok(undefined);
  }

  async #readJar(): Promise<Result<Jar>> {
    if (this.#jar) return ok(this.#jar);
    try {
      const bytes = await readFile(this.#options.jar);
      this.#jar = { bytes, digest: createHash('sha256').update(bytes).digest('hex').slice(0, 16) };
      return ok(this.#jar);
    } catch {
      return fail(
        'ENVIRONMENT_ERROR',
        `${this.#options.jar} is missing: this Jugg is not built. Run \`npm run setup\`.`,
      );
    }
  }
}
