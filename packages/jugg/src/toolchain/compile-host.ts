import type { z } from 'zod';
import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { juggDirs } from '../shared/paths.ts';
import type { JuggDirs } from '../shared/paths.ts';
import type { WorkContext } from '../shared/progress.ts';
import { debugKey } from './debug-key.ts';
import type { Keystore } from './debug-key.ts';
import { HostPool } from './host-pool.ts';
import {
  classInfoReply,
  compileReply,
  dexReply,
  filesReply,
  signReply,
  stubJarReply,
} from './host-replies.ts';
import type { RuntimeFiles } from './runtime.ts';
import type {
  ClassInfo,
  CompileHost,
  CompileReply,
  DexReply,
  DexRequest,
  JavaRequest,
  KotlinRequest,
  MergeDexRequest,
} from './types.ts';
import { warmUpHost } from './warm-up.ts';
import { join } from 'node:path';

export interface CompileHostOptions {
  readonly dirs?: JuggDirs;
  readonly env?: NodeJS.ProcessEnv;
  /** Absolute path of a jar with D8; else it is found in the SDK or resolved. */
  readonly dexer?: string;
  readonly keystore?: Keystore;
  /** Where our own jar and its list lie; the shipped ones unless a test says otherwise. */
  readonly files?: RuntimeFiles;
}

/** Upper bounds of one call, in ms: a first compile of a large module on a busy laptop takes minutes. */
const LIMIT = { compile: 900_000, dex: 600_000, short: 120_000 };

/** The compile host as the engine sees it; no process runs before the first call. */
export interface JuggCompileHost extends CompileHost {
  /** Makes a jar of stubs from a framework jar with code. */
  stubJar(
    request: { readonly input: string; readonly output: string },
    work: WorkContext,
  ): Promise<Result<void>>;
  /** Process id of the running host, for diagnosis and tests. */
  readonly pid: number | undefined;
}

/** Makes the client of the compile host. */
export function createCompileHost(options: CompileHostOptions = {}): JuggCompileHost {
  const dirs = options.dirs ?? juggDirs();
  const pool = new HostPool({ dirs, env: options.env ?? process.env, ...pick(options) });
  const snapshotDir = join(dirs.cache, 'class-path-snapshots');

  async function call<T>(
    method: string,
    params: Record<string, unknown>,
    reply: z.ZodType<T>,
    timeoutMs: number,
    work: WorkContext,
  ): Promise<Result<T>> {
    const answer = await pool.call(method, params, timeoutMs, work);
    if (!answer.ok) return answer;
    const parsed = reply.safeParse(answer.value);
    return parsed.success
      ? ok(parsed.data)
      : fail(
          'INTERNAL_ERROR',
          `The compile host's answer to ${method} has another shape: ${parsed.error.message}`,
        );
  }

  async function dexCall<T>(
    method: string,
    params: object,
    reply: z.ZodType<T>,
    work: WorkContext,
  ): Promise<Result<T>> {
    const dexer = await pool.dexer(work);
    if (!dexer.ok) return dexer;
    return call(method, { ...params, dexer: dexer.value }, reply, LIMIT.dex, work);
  }

  return {
    get pid() {
      return pool.pid;
    },
    compileKotlin: (request: KotlinRequest, work): Promise<Result<CompileReply>> =>
      call('compileKotlin', { ...request, snapshotDir }, compileReply, LIMIT.compile, work),
    compileJava: (request: JavaRequest, work): Promise<Result<CompileReply>> =>
      call('compileJava', { ...request }, compileReply, LIMIT.compile, work),
    async classInfo(files, work): Promise<Result<readonly ClassInfo[]>> {
      const reply = await call('classInfo', { files }, classInfoReply, LIMIT.short, work);
      return reply.ok ? ok(reply.value.classes) : reply;
    },
    dex: (request: DexRequest, work): Promise<Result<DexReply>> => dexCall('dex', request, dexReply, work),
    async dexJar(request, work) {
      const reply = await dexCall('dexJar', request, filesReply, work);
      return reply.ok ? ok(reply.value.files) : reply;
    },
    async mergeDex(request: MergeDexRequest, work) {
      const reply = await dexCall('mergeDex', request, filesReply, work);
      return reply.ok ? ok(reply.value.files) : reply;
    },
    async sign(request, work) {
      const runtime = await pool.runtime(work);
      if (!runtime.ok) return runtime;
      const key = options.keystore
        ? ok(options.keystore)
        : await debugKey(dirs.state, runtime.value.jdk, work.signal);
      if (!key.ok) return key;
      const signer = await pool.signer(work);
      if (!signer.ok) return signer;
      const params = { ...request, ...key.value, signer: signer.value };
      const reply = await call('sign', params, signReply, LIMIT.short, work);
      return reply.ok ? ok(undefined) : reply;
    },
    async stubJar(request, work) {
      const reply = await call('stubJar', { ...request }, stubJarReply, LIMIT.short, work);
      return reply.ok ? ok(undefined) : reply;
    },
    async warmUp() {
      await warmUpHost(this, dirs);
    },
    close: () => pool.close(),
  };
}

function pick({ dexer, files }: CompileHostOptions): { dexer?: string; files?: RuntimeFiles } {
  return { ...(dexer === undefined ? {} : { dexer }), ...(files === undefined ? {} : { files }) };
}
