import { join } from 'node:path';
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
import { HostTools } from './host-tools.ts';
import type { RuntimeFiles } from './runtime.ts';
import type { ClassInfo, CompileHost } from './types.ts';
import { warmUp } from './warm-up.ts';

export interface CompileHostOptions {
  readonly dirs?: JuggDirs;
  readonly env?: NodeJS.ProcessEnv;
  /** Absolute path of a jar with D8, or null for dx; else D8 is found in the SDK or resolved, and dx comes last. */
  readonly dexer?: string | null;
  /** Signs with this key instead of Jugg's own. */
  readonly keystore?: Keystore;
  /** False: neither map nor make a class-data archive. */
  readonly classData?: boolean;
  /** Time in ms between the warm-up and the making of the archive; two minutes. */
  readonly trainAfterMs?: number;
  /** Part of the heap, 0..1, beyond which live data makes a host be replaced; half. */
  readonly recycleAt?: number;
  /** Where our own jar and its list lie; the shipped ones unless a test says otherwise. */
  readonly files?: RuntimeFiles;
}

/** The compile host with what is not part of the engine's port. */
export interface JuggCompileHost extends CompileHost {
  /** Makes a jar of stubs from a framework jar with code. */
  stubJar(
    request: { readonly input: string; readonly output: string },
    work: WorkContext,
  ): Promise<Result<void>>;
  /** Process id of the running host, for diagnosis and tests. */
  readonly pid: number | undefined;
  /** Waits for the class-data archive that `warmUp` may have begun to make. */
  trained(): Promise<void>;
}

/** Upper bounds of one call, in ms: a first compile of a large module on a busy laptop takes minutes. */
const LIMIT = { compile: 900_000, dex: 600_000, short: 120_000 };

/** Makes the client of the compile host; no process runs before the first call. */
export function createCompileHost(options: CompileHostOptions = {}): JuggCompileHost {
  const dirs = options.dirs ?? juggDirs();
  const env = options.env ?? process.env;
  const { files, classData, trainAfterMs, recycleAt } = options;
  const pool = new HostPool({
    dirs,
    env,
    ...(files === undefined ? {} : { files }),
    ...(classData === undefined ? {} : { classData }),
    ...(trainAfterMs === undefined ? {} : { trainAfterMs }),
    ...(recycleAt === undefined ? {} : { recycleAt }),
  });
  const tools = new HostTools(env, options.dexer);
  const snapshotDir = join(dirs.cache, 'class-path-snapshots');
  // What runs in the background reports to nobody.
  const quiet: WorkContext = { signal: new AbortController().signal, phase: () => {}, log: () => {} };

  async function call<T>(
    method: string,
    params: object,
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
    const dexer = await tools.dexer(work);
    if (!dexer.ok) return dexer;
    return call(method, { ...params, dexer: dexer.value }, reply, LIMIT.dex, work);
  }

  const host: JuggCompileHost = {
    get pid() {
      return pool.pid;
    },
    compileKotlin: (request, work) =>
      call('compileKotlin', { ...request, snapshotDir }, compileReply, LIMIT.compile, work),
    compileJava: (request, work) => call('compileJava', request, compileReply, LIMIT.compile, work),
    async classInfo(classFiles, work): Promise<Result<readonly ClassInfo[]>> {
      const reply = await call('classInfo', { files: classFiles }, classInfoReply, LIMIT.short, work);
      return reply.ok ? ok(reply.value.classes) : reply;
    },
    dex: (request, work) => dexCall('dex', request, dexReply, work),
    async dexJar(request, work) {
      const reply = await dexCall('dexJar', request, filesReply, work);
      return reply.ok ? ok(reply.value.files) : reply;
    },
    async mergeDex(request, work) {
      const reply = await dexCall('mergeDex', request, filesReply, work);
      return reply.ok ? ok(reply.value.files) : reply;
    },
    async sign(request, work) {
      const runtime = await pool.runtime(work);
      if (!runtime.ok) return runtime;
      const { jdk } = runtime.value;
      const key = options.keystore ? ok(options.keystore) : await debugKey(dirs.state, jdk, work.signal);
      if (!key.ok) return key;
      const signer = await tools.signer(jdk, work);
      if (!signer.ok) return signer;
      const params = { ...request, ...key.value, signer: signer.value };
      const reply = await call('sign', params, signReply, LIMIT.short, work);
      return reply.ok ? ok(undefined) : reply;
    },
    async stubJar(request, work) {
      const reply = await call('stubJar', request, stubJarReply, LIMIT.short, work);
      return reply.ok ? ok(undefined) : reply;
    },
    async warmUp() {
      const runtime = await pool.runtime(quiet);
      if (!runtime.ok) return;
      const javaHome = runtime.value.jdk.home;
      const common = { cacheDir: dirs.cache, snapshotDir, dexer: await tools.dexerAtHand(quiet), javaHome };
      const limit = LIMIT.short;
      await warmUp({ ...common, call: (method, params) => pool.call(method, params, limit, quiet) });
      await pool.train((trainee) => {
        const how = { signal: quiet.signal, timeoutMs: LIMIT.compile, log: () => {} };
        return warmUp({ ...common, call: (method, params) => trainee.call(method, params, how) });
      });
    },
    trained: () => pool.trained(),
    close: () => pool.close(),
  };
  return host;
}
