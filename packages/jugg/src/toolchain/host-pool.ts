import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { constants, freemem, setPriority, totalmem } from 'node:os';
import { delimiter, join } from 'node:path';
import { ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import type { JuggDirs } from '../shared/paths.ts';
import type { WorkContext } from '../shared/progress.ts';
import { classDataOf, makeClassData } from './class-data.ts';
import { hostEnvironment, hostFlags } from './host-flags.ts';
import type { HostFlags } from './host-flags.ts';
import { HostProcess } from './host-process.ts';
import { compileHostRuntime } from './runtime.ts';
import type { Runtime, RuntimeFiles } from './runtime.ts';

export interface HostPoolOptions {
  readonly dirs: JuggDirs;
  readonly env: NodeJS.ProcessEnv;
  readonly files?: RuntimeFiles;
  /** False: neither map nor make a class-data archive. */
  readonly classData?: boolean;
}

/** Live data beyond this part of the heap means that a compiler holds on to old projects: a fresh host is quicker. */
const FULL = 0.5;

/** A second JVM is started for the archive only when this much memory is free. */
const TRAINING_BYTES = 2 * 2 ** 30;

/** Keeps one host running: starts it at the first call, again after its death, and a fresh one when it has grown. */
export class HostPool {
  readonly #options: HostPoolOptions;
  #runtime: Runtime | null = null;
  #starting: Promise<Result<HostProcess>> | null = null;
  #host: HostProcess | null = null;
  #trainee: HostProcess | null = null;
  #training: Promise<void> | null = null;
  #tempDir: string | null = null;

  constructor(options: HostPoolOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#host?.alive ? this.#host.pid : undefined;
  }

  async call(
    method: string,
    params: unknown,
    timeoutMs: number,
    work: WorkContext,
  ): Promise<Result<unknown>> {
    const host = await this.#running(work);
    if (!host.ok) return host;
    const log = (line: string): void => work.log(line);
    const answer = await host.value.call(method, params, { signal: work.signal, timeoutMs, log });
    if (host.value.idle && host.value.fullness > FULL && this.#host === host.value) {
      this.#host = null;
      void host.value.close();
    }
    return answer;
  }

  /** The JDK and the class path of the host. */
  async runtime(work: WorkContext): Promise<Result<Runtime>> {
    if (this.#runtime !== null) return ok(this.#runtime);
    const runtime = await compileHostRuntime(
      { signal: work.signal, onProgress: (line) => work.log(line), env: this.#options.env },
      this.#options.files,
    );
    if (runtime.ok) this.#runtime = runtime.value;
    return runtime;
  }

  /**
   * Makes the class-data archive in the background, if there is none: a second host of the lowest priority does `exercise`
   * and writes down which classes that took. `close` ends it, and the next process tries again.
   */
  train(exercise: (host: HostProcess) => Promise<void>): void {
    const runtime = this.#runtime;
    if (this.#options.classData === false || runtime === null || this.#training !== null) return;
    if (freemem() < TRAINING_BYTES) return;
    this.#training = this.#makeArchive(runtime, exercise).catch(() => {
      // A full disk, say: the host works without.
    });
  }

  /** The end of what `train` began; for tests. */
  async trained(): Promise<void> {
    await this.#training;
  }

  async close(): Promise<void> {
    const starting = await this.#starting;
    const host = this.#host ?? (starting?.ok ? starting.value : null);
    this.#host = null;
    this.#trainee?.kill();
    await Promise.all([host?.close(), this.#training]);
    if (this.#tempDir !== null) await rm(this.#tempDir, { recursive: true, force: true });
    this.#tempDir = null;
  }

  get #archiveDir(): string {
    return join(this.#options.dirs.cache, 'class-data');
  }

  async #makeArchive(runtime: Runtime, exercise: (host: HostProcess) => Promise<void>): Promise<void> {
    const archive = await classDataOf(this.#archiveDir, runtime.jdk, runtime.classPath);
    if (archive.exists) return;
    await makeClassData(archive, this.#archiveDir, async (make) => {
      const host = await this.#spawn(runtime, { make });
      this.#trainee = host;
      if (host.pid !== undefined) setPriority(host.pid, constants.priority.PRIORITY_LOW);
      await exercise(host);
      return host.close();
    });
    this.#trainee = null;
  }

  async #running(work: WorkContext): Promise<Result<HostProcess>> {
    if (this.#host?.alive) return ok(this.#host);
    this.#starting ??= this.#start(work).finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #start(work: WorkContext): Promise<Result<HostProcess>> {
    const runtime = await this.runtime(work);
    if (!runtime.ok) return runtime;
    const archive = await classDataOf(this.#archiveDir, runtime.value.jdk, runtime.value.classPath);
    const use = this.#options.classData !== false && archive.exists ? { use: archive.path } : null;
    const host = await this.#spawn(runtime.value, use);
    this.#host = host;
    return ok(host);
  }

  async #spawn({ jdk, classPath }: Runtime, classData: HostFlags['classData']): Promise<HostProcess> {
    const { dirs, env } = this.#options;
    await mkdir(dirs.cache, { recursive: true });
    this.#tempDir ??= await mkdtemp(join(dirs.cache, 'compile-host-'));
    const flags = hostFlags({ totalMemory: totalmem(), tempDir: this.#tempDir, classData });
    return new HostProcess({
      java: jdk.java,
      args: [...flags, '-cp', classPath.join(delimiter), 'dev.jugg.host.Main'],
      env: hostEnvironment(env, process.platform),
      onClassDataComplaint: () => {
        if (classData !== null && 'use' in classData) void rm(classData.use, { force: true });
      },
    });
  }
}
