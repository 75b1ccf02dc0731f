import { mkdir, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { delimiter, join } from 'node:path';
import { ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import type { JuggDirs } from '../shared/paths.ts';
import type { WorkContext } from '../shared/progress.ts';
import { ArchiveTrainer } from './archive-trainer.ts';
import { classDataOf } from './class-data.ts';
import type { ClassData } from './class-data.ts';
import { hostFlags } from './host-flags.ts';
import type { HostFlags } from './host-flags.ts';
import { HostProcess } from './host-process.ts';
import { javaEnvironment } from './java-environment.ts';
import { compileHostRuntime } from './runtime.ts';
import type { Runtime, RuntimeFiles } from './runtime.ts';
import { temporaryFolder } from './temp-dirs.ts';

export interface HostPoolOptions {
  readonly dirs: JuggDirs;
  readonly env: NodeJS.ProcessEnv;
  readonly files?: RuntimeFiles;
  /** False: neither map nor make a class-data archive. */
  readonly classData?: boolean;
  /** Time between the warm-up and the making of the archive. */
  readonly trainAfterMs?: number;
  /** Part of the heap, 0..1, beyond which live data makes a host be replaced. */
  readonly recycleAt?: number;
}

/** Live data beyond this part of the heap means that a compiler holds on to old projects: a fresh host is quicker. */
const FULL = 0.5;

const TRAIN_AFTER_MS = 120_000;

/** Keeps one host running: starts it at the first call, again after its death, and a fresh one when it has grown. */
export class HostPool {
  readonly #options: HostPoolOptions;
  #runtime: Runtime | null = null;
  #starting: Promise<Result<HostProcess>> | null = null;
  #host: HostProcess | null = null;
  /** Hosts that take no more calls and end after their last one. */
  readonly #retired = new Set<HostProcess>();
  #trainer: ArchiveTrainer | null = null;
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
    // Somebody may have emptied the cache folder below a running host, which then could write nothing.
    if (this.#tempDir !== null) await mkdir(this.#tempDir, { recursive: true });
    const host = await this.#running(work);
    if (!host.ok) return host;
    // It may have been replaced since it was found, and then takes no more calls.
    if (this.#retired.has(host.value)) return this.call(method, params, timeoutMs, work);
    const log = (line: string): void => work.log(line);
    const answer = await host.value.call(method, params, { signal: work.signal, timeoutMs, log });
    if (host.value.fullness > this.#recycleAt) this.#retire(host.value);
    return answer;
  }

  /** The next call gets a fresh host; this one ends when it has finished what it was given. */
  #retire(host: HostProcess): void {
    if (this.#host !== host) return;
    this.#host = null;
    this.#retired.add(host);
    void host
      .whenIdle()
      .then(() => host.close())
      .finally(() => this.#retired.delete(host));
  }

  get #recycleAt(): number {
    return this.#options.recycleAt ?? FULL;
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

  /** Begins to make the class-data archive in the background, if there is none; `exercise` is what its host does. */
  async train(exercise: (host: HostProcess) => Promise<void>): Promise<void> {
    const runtime = this.#runtime;
    if (this.#options.classData === false || runtime === null || this.#trainer !== null) return;
    const archive = await this.#archiveOf(runtime);
    if (archive.exists) return;
    this.#trainer ??= new ArchiveTrainer({
      folder: this.#archiveDir,
      archive,
      spawn: (make) => this.#spawn(runtime, { make }),
      exercise,
      afterMs: this.#options.trainAfterMs ?? TRAIN_AFTER_MS,
    });
  }

  /** The end of what `train` began; for tests. */
  async trained(): Promise<void> {
    await this.#trainer?.done();
  }

  async close(): Promise<void> {
    const starting = await this.#starting;
    const host = this.#host ?? (starting?.ok ? starting.value : null);
    this.#host = null;
    const retired = [...this.#retired].map((one) => one.close());
    await Promise.all([host?.close(), this.#trainer?.stop(), ...retired]);
    this.#trainer = null;
    if (this.#tempDir !== null) await rm(this.#tempDir, { recursive: true, force: true });
    this.#tempDir = null;
  }

  get #archiveDir(): string {
    return join(this.#options.dirs.cache, 'class-data');
  }

  #archiveOf({ jdk, classPath }: Runtime): Promise<ClassData> {
    return classDataOf(this.#archiveDir, jdk, classPath);
  }

  async #running(work: WorkContext): Promise<Result<HostProcess>> {
    for (;;) {
      if (this.#host?.alive) return ok(this.#host);
      this.#starting ??= this.#start(work).finally(() => {
        this.#starting = null;
      });
      const started = await this.#starting;
      // The start may have been another call's, which has been cancelled since.
      const isOthers = !started.ok && started.fault.code === 'CANCELED' && !work.signal.aborted;
      if (!isOthers) return started;
    }
  }

  async #start(work: WorkContext): Promise<Result<HostProcess>> {
    const runtime = await this.runtime(work);
    if (!runtime.ok) return runtime;
    const archive = await this.#archiveOf(runtime.value);
    const use = this.#options.classData !== false && archive.exists ? { use: archive.path } : null;
    const host = await this.#spawn(runtime.value, use);
    this.#host = host;
    return ok(host);
  }

  async #spawn({ jdk, classPath }: Runtime, classData: HostFlags['classData']): Promise<HostProcess> {
    const { dirs, env } = this.#options;
    this.#tempDir ??= await temporaryFolder(dirs.cache, 'compile-host');
    const flags = hostFlags({
      totalMemory: totalmem(),
      javaVersion: jdk.version,
      tempDir: this.#tempDir,
      recycleAt: this.#recycleAt,
      classData,
    });
    return new HostProcess({
      java: jdk.java,
      args: [...flags, '-cp', classPath.join(delimiter), 'dev.jugg.host.Main'],
      env: javaEnvironment(env),
      onClassDataComplaint: () => {
        if (classData !== null && 'use' in classData) void rm(classData.use, { force: true });
      },
    });
  }
}
