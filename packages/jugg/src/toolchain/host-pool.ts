import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import type { JuggDirs } from '../shared/paths.ts';
import type { WorkContext } from '../shared/progress.ts';
import { resolveArtifacts } from './artifacts.ts';
import { hostEnvironment, hostFlags } from './host-flags.ts';
import { HostProcess } from './host-process.ts';
import { APKSIG, compileHostRuntime, D8 } from './runtime.ts';
import type { Runtime, RuntimeFiles } from './runtime.ts';
import { findSdk } from './sdk.ts';

export interface HostPoolOptions {
  readonly dirs: JuggDirs;
  readonly env: NodeJS.ProcessEnv;
  readonly dexer?: string;
  readonly files?: RuntimeFiles;
}

/** Live data beyond this part of the heap means that a compiler holds on to old projects: a fresh host is quicker. */
const FULL = 0.5;

const LAST_JAVA_OF_OWN_SIGNER = 17;

/** Keeps one host running: starts it at the first call, again after its death, and a fresh one when it has grown. */
export class HostPool {
  readonly #options: HostPoolOptions;
  #runtime: Runtime | null = null;
  #dexer: string | null;
  #starting: Promise<Result<HostProcess>> | null = null;
  #host: HostProcess | null = null;
  #tempDir: string | null = null;

  constructor(options: HostPoolOptions) {
    this.#options = options;
    this.#dexer = options.dexer ?? null;
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
    if (host.value.idle && host.value.fullness > FULL) {
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

  /** The jar with D8: the SDK's, else the resolved one. */
  async dexer(work: WorkContext): Promise<Result<string>> {
    if (this.#dexer !== null) return ok(this.#dexer);
    const sdk = await findSdk({ env: this.#options.env });
    const jar = sdk?.d8Jar ? ok(sdk.d8Jar) : await this.#resolve(D8.gav, work);
    if (jar.ok) this.#dexer = jar.value;
    return jar;
  }

  /** The jar with apksig: the SDK's, else the resolved one; null for the host's own, which does on Java 17. */
  async signer(work: WorkContext): Promise<Result<string | null>> {
    const runtime = await this.runtime(work);
    if (!runtime.ok) return runtime;
    const sdk = await findSdk({ env: this.#options.env });
    if (sdk?.apksignerJar) return ok(sdk.apksignerJar);
    if (runtime.value.jdk.version <= LAST_JAVA_OF_OWN_SIGNER) return ok(null);
    const jar = await this.#resolve(APKSIG.gav, work);
    // Without it the host signs with v2 alone, or says why that does not do.
    return jar.ok || jar.fault.code === 'CANCELED' ? jar : ok(null);
  }

  async #resolve(gav: string, work: WorkContext): Promise<Result<string>> {
    const resolved = await resolveArtifacts([{ gav }], {
      signal: work.signal,
      onProgress: (line) => work.log(line),
      env: this.#options.env,
    });
    return resolved.ok ? ok(resolved.value.get(gav) ?? '') : resolved;
  }

  async close(): Promise<void> {
    const starting = await this.#starting;
    const host = this.#host ?? (starting?.ok ? starting.value : null);
    this.#host = null;
    await host?.close();
    if (this.#tempDir !== null) await rm(this.#tempDir, { recursive: true, force: true });
    this.#tempDir = null;
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
    const { jdk, classPath } = runtime.value;
    const { dirs, env } = this.#options;
    await mkdir(dirs.cache, { recursive: true });
    this.#tempDir ??= await mkdtemp(join(dirs.cache, 'compile-host-'));
    const flags = hostFlags({ totalMemory: totalmem(), tempDir: this.#tempDir, classData: null });
    const separator = process.platform === 'win32' ? ';' : ':';
    const args = [...flags, '-cp', classPath.join(separator), 'dev.jugg.host.Main'];
    const host = new HostProcess(jdk.java, args, hostEnvironment(env, process.platform));
    this.#host = host;
    return ok(host);
  }
}
