import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Calls, fault } from './calls.ts';
import { isolatedCommand, readableFolders } from './isolation.ts';
import type { Isolation } from './isolation.ts';
import type { CommandLine, LaunchSpec } from './launch.ts';
import { jvmArguments, processEnvironment, settingsJson } from './launch.ts';
import { LineSplitter } from './lines.ts';
import type {
  AppEvent,
  AppProcessPort,
  AppProcessResult,
  Method,
  ParamsOf,
  ProcessExit,
  RequestOptions,
  ResultOf,
} from './types.ts';
import { eventSchema } from './types.ts';

export interface StartOptions {
  readonly archive?: CommandLine['archive'];
  /** The process runs once to make a class-data archive, then exits. */
  readonly archiveRun?: boolean;
  readonly signal?: AbortSignal;
  /** Aborted when somebody waits for the process: its warm-up ends then. */
  readonly wanted?: AbortSignal;
  /** From start to `ready`; a cold start on a very busy machine takes half of it. */
  readonly readyTimeoutMs?: number;
}

const READY_TIMEOUT_MS = 120_000;

/** One JVM that is, or will be, the process of an app. */
export class AppProcess implements AppProcessPort {
  readonly pid: number;
  readonly stderrFile: string;
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcess;
  readonly #calls: Calls;
  readonly #listeners = new Set<(event: AppEvent) => void>();
  /** Its end is explained: killed by us, or by a crash that it has told. */
  #explained = false;

  private constructor(child: ChildProcess, pid: number, workDir: string, closed: Promise<ProcessExit>) {
    this.#child = child;
    this.pid = pid;
    this.stderrFile = stderrFile(workDir);
    this.#calls = new Calls((line) => child.stdin?.write(line));
    // Writing to a process that has just ended is foreseen: `exited` tells the story.
    child.stdin?.on('error', () => {});
    const lines = new LineSplitter();
    child.stdout?.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) this.#accept(line);
    });
    this.exited = closed.then(async (exit) => {
      this.#calls.end({ code: 'PROCESS_GONE', message: `app process ${pid} has ended` });
      await this.#cleanUp(workDir, this.#explained || exit.code === 0);
      return exit;
    });
  }

  /** Starts a JVM and waits until it is a spare process, ready for `bind`. */
  static async start(spec: LaunchSpec, options: StartOptions = {}): Promise<AppProcessResult<AppProcess>> {
    const workDir = join(spec.cacheDir, 'processes', randomUUID());
    const spawned = await AppProcess.#spawn(spec, workDir, options);
    if (!spawned.ok) return spawned;
    const started = spawned.value;
    const hurry = (): void => void started.request('hurry', {});
    if (options.wanted?.aborted) hurry();
    else options.wanted?.addEventListener('abort', hurry, { once: true });
    const readiness = await started.#ready(options);
    options.wanted?.removeEventListener('abort', hurry);
    if (readiness.ok) return { ok: true, value: started };
    await started.kill();
    return readiness;
  }

  static async #spawn(
    spec: LaunchSpec,
    workDir: string,
    options: StartOptions,
  ): Promise<AppProcessResult<AppProcess>> {
    await mkdir(join(workDir, 'tmp'), { recursive: true, mode: 0o700 });
    const settingsFile = join(workDir, 'settings.json');
    await writeFile(settingsFile, settingsJson(spec, { archiveRun: options.archiveRun ?? false }));
    const stderr = await open(stderrFile(workDir), 'a');
    const { archive } = options;
    const commandLine = { spec, workDir, settingsFile, ...(archive && { archive }) };
    const jvm = [spec.java, ...jvmArguments(commandLine)];
    const command = spec.isolation ? isolated(spec, spec.isolation, jvm) : jvm;
    // Nobody waits for an archive run: what runs at the same time goes first. `nice` becomes the JVM, same process.
    if (options.archiveRun && process.platform !== 'win32') command.unshift('nice', '-n', '10');
    const [program = spec.java, ...args] = command;
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', stderr.fd],
      cwd: workDir,
      env: processEnvironment(workDir, process.env),
      windowsHide: true,
    });
    // Listened for from the first moment on: a JVM that cannot start ends before the next line that waits.
    // `close`, not `exit`: the last events (a crash) are still in the pipe when the process has ended.
    const closed = new Promise<ProcessExit>((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
    const failure = await new Promise<Error | undefined>((resolve) => {
      child.once('spawn', () => resolve(undefined));
      child.once('error', resolve);
    });
    await stderr.close();
    if (failure || child.pid === undefined) {
      await rm(workDir, { recursive: true, force: true });
      return fault('PROCESS_GONE', `cannot start ${spec.java}: ${failure?.message ?? 'no process id'}`);
    }
    return { ok: true, value: new AppProcess(child, child.pid, workDir, closed) };
  }

  async #ready(options: StartOptions): Promise<AppProcessResult<void>> {
    const timeoutMs = options.readyTimeoutMs ?? READY_TIMEOUT_MS;
    let stop = (): void => {};
    const result = await new Promise<AppProcessResult<void>>((resolve) => {
      const off = this.onEvent((event) => {
        if (event.event === 'ready') resolve({ ok: true, value: undefined });
      });
      const onAbort = (): void => resolve(fault('CANCELED', 'the start of an app process was canceled'));
      const timer = setTimeout(
        () => resolve(fault('TIMEOUT', `an app process was not ready in ${timeoutMs} ms`)),
        timeoutMs,
      );
      void this.exited.then(async ({ code }) => {
        const why = complaintOf(await readFile(this.stderrFile, 'utf8').catch(() => ''));
        resolve(
          fault('PROCESS_GONE', `the JVM ended with ${code} at its start: ${why} (${this.stderrFile})`),
        );
      });
      options.signal?.addEventListener('abort', onAbort, { once: true });
      if (options.signal?.aborted) onAbort();
      stop = () => {
        off();
        clearTimeout(timer);
        options.signal?.removeEventListener('abort', onAbort);
      };
    });
    stop();
    return result;
  }

  request<M extends Method>(
    method: M,
    params: ParamsOf<M>,
    options?: RequestOptions,
  ): Promise<AppProcessResult<ResultOf<M>>> {
    return this.#calls.request(method, params, options);
  }

  onEvent(listener: (event: AppEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async kill(): Promise<void> {
    this.#explained = true;
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  /** A line that is neither an answer nor an event comes from the JVM itself; there is nobody to tell. */
  #accept(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (this.#calls.accept(message)) return;
    const event = eventSchema.safeParse(message);
    if (!event.success) return;
    if (event.data.event === 'crash') this.#explained = true;
    for (const listener of this.#listeners) listener(event.data);
  }

  /** Everything of the process goes; its standard error stays when it ended in a way that somebody may ask about. */
  async #cleanUp(workDir: string, asExpected: boolean): Promise<void> {
    const doomed = asExpected ? [workDir] : [join(workDir, 'tmp'), join(workDir, 'settings.json')];
    // The JVM's attach socket: always in /tmp, and a killed JVM leaves it there.
    if (process.platform !== 'win32') doomed.push(`/tmp/.java_pid${this.pid}`);
    await Promise.all(doomed.map((path) => rm(path, { recursive: true, force: true }).catch(() => {})));
  }
}

/** With its cache: translated code, native files, the folder of the process itself. */
function isolated(spec: LaunchSpec, { hidden, writable }: Isolation, jvm: readonly string[]): string[] {
  const files = [spec.java, spec.frameworkJar, spec.nativeJar, ...spec.classPath];
  const isolation = { hidden, writable: [...writable, spec.cacheDir] };
  return isolatedCommand(isolation, readableFolders(files, isolation), jvm);
}

/** What a JVM that did not start wrote about it: the innermost cause, else its first words; without its own log lines. */
export function complaintOf(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('['));
  const causes = lines.filter((line) => line.startsWith('Caused by: '));
  const line = causes.at(-1) ?? lines[0] ?? 'it wrote nothing';
  return line.slice(0, 300);
}

function stderrFile(workDir: string): string {
  return join(workDir, 'stderr.log');
}
