import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineAction } from '../../src/actions/action.ts';
import { callAction, callTool, type Reply } from '../../src/actions/call.ts';
import { withProject } from '../../src/actions/gates/project.ts';
import { asJob } from '../../src/actions/job-answer.ts';
import { jobOutput, projectArgs, timeoutMs } from '../../src/actions/shapes.ts';
import { toToolResult } from '../../src/mcp/reply.ts';
import { whenIdle } from '../../src/runtime/idle.ts';
import { createRuntime } from '../../src/runtime/create.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { settingsSchema } from '../../src/runtime/settings.ts';
import { silentLog } from '../../src/shared/log.ts';
import { fail, ok } from '../../src/shared/outcome.ts';
import { juggDirs } from '../../src/shared/paths.ts';
import { VirtualClock } from './virtual-clock.ts';

const callShape = z.object({
  atMs: z.number(),
  call: z.enum(['build', 'poll', 'latest', 'cancel']),
  args: z.object({
    projectDir: z.string(),
    job: z.string().optional(),
    waitMs: z.number().optional(),
    timeoutMs: z.number().optional(),
  }),
  client: z.string(),
});
type Call = z.output<typeof callShape>;

const caseShape = z.object({
  id: z.string(),
  title: z.string(),
  input: z.object({
    build: z.object({ durationMs: z.number(), result: z.enum(['success', 'failed']) }),
    calls: z.array(callShape),
    server: z.object({ idleExitMs: z.number().optional() }).optional(),
  }),
  expect: z.object({
    replies: z.array(
      z
        .object({
          byMs: z.number(),
          status: z.string(),
          job: z.string(),
          usedWaitMsMax: z.number().optional(),
          bytesMax: z.number().optional(),
        })
        .nullable(),
    ),
    buildsStarted: z.number().optional(),
    buildFinished: z.boolean().optional(),
    serverAliveAtMs: z.number().optional(),
  }),
});
type Case = z.output<typeof caseShape>;

const file = new URL('../../../../test/field-cases/jobs.json', import.meta.url);
const { cases } = z.object({ cases: z.array(caseShape) }).parse(JSON.parse(await readFile(file, 'utf8')));

/** Long enough for every case to end. */
const END_MS = 1_000_000;
const START = Date.parse('2026-01-01T00:00:00Z');

let folder: string;
let clock: VirtualClock;
let runtime: Runtime;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'jugg-job-cases-')));
  await writeFile(join(folder, 'settings.gradle'), '');
  clock = new VirtualClock(START);
  runtime = createRuntime({
    info: { kind: 'server', version: '0', pid: process.pid, port: 1, startedAt: '' },
    dirs: juggDirs({ JUGG_HOME: join(folder, 'home') }),
    settings: settingsSchema.parse({ adbServer: false }),
    log: silentLog,
    clock,
  });
});
afterEach(async () => {
  await runtime.close();
  await rm(folder, { recursive: true, force: true });
});

/** A build of known length that hears when it is told to end; the tool around it is as the real ones are. */
class FakeBuild {
  started = 0;
  finished = 0;
  readonly action;

  constructor({ durationMs, result }: Case['input']['build']) {
    this.action = defineAction({
      name: 'gradle-build',
      title: '',
      description: '',
      input: z.strictObject({ ...projectArgs, timeoutMs }),
      output: jobOutput,
      run: withProject((input, context) =>
        asJob(
          {
            kind: 'gradle-build',
            projectDir: context.projectDir,
            key: 'build',
            timeoutMs: input.timeoutMs,
            // No source changes in any of the cases.
            joinsRunning: async () => true,
            run: async (work) => {
              this.started += 1;
              await clock.sleep(durationMs, work.signal);
              if (work.signal.aborted) return fail('CANCELED', 'The build was canceled.');
              this.finished += 1;
              return result === 'success'
                ? ok({ message: 'Built.', data: {} })
                : fail('GRADLE_FAILED', 'Failed.');
            },
          },
          context,
        ),
      ),
    });
  }
}

interface Heard {
  readonly atMs: number;
  readonly reply: Reply;
}

/** What a client got, and when; `null` for one that was gone by then. */
async function make(call: Call, build: FakeBuild, ids: ReadonlyMap<string, string>): Promise<Heard | null> {
  await clock.sleep(call.atMs);
  const gone = new AbortController();
  const [, leaves] = /^(?:disconnects|cancels)-at (\d+)$/.exec(call.client) ?? [];
  if (leaves !== undefined) void clock.sleep(Number(leaves) - call.atMs).then(() => gone.abort());
  const caller = { trusted: true, signal: gone.signal };
  const named = call.args.job === undefined ? {} : { jobId: ids.get(call.args.job) };
  const reply = await (call.call === 'build'
    ? callAction(runtime, build.action, { projectDir: folder, timeoutMs: call.args.timeoutMs }, caller)
    : callTool(
        runtime,
        call.call === 'cancel' ? 'cancel-job' : 'get-compile-status',
        {
          projectDir: folder,
          ...named,
          ...(call.args.waitMs === undefined ? {} : { waitTimeoutMs: call.args.waitMs }),
        },
        caller,
      ));
  if (!reply) throw new Error('no such tool');
  return gone.signal.aborted ? null : { atMs: clock.now() - START, reply };
}

describe('field cases of jobs', () => {
  test.each(cases.map((one) => [`${one.id} ${one.title}`, one] as const))('%s', async (_name, one) => {
    const { input, expect: wanted } = one;
    const build = new FakeBuild(input.build);
    const ids = new Map<string, string>();
    let endedAtMs: number | undefined;
    const idle = new AbortController();
    if (input.server?.idleExitMs !== undefined) {
      let last = clock.now();
      void whenIdle(
        {
          clock,
          idleExitMs: input.server.idleExitMs,
          isBusy: () => runtime.jobs.active > 0,
          lastUse: () => last,
        },
        idle.signal,
      ).then(() => (endedAtMs = clock.now() - START));
      for (const { atMs } of input.calls) void clock.sleep(atMs).then(() => (last = clock.now()));
    }
    const heard: (Heard | null)[] = [];
    const calls = input.calls.map(async (call, index) => {
      heard[index] = await make(call, build, ids);
      const name = wanted.replies[index]?.job;
      const id = heard[index]?.reply.envelope.data['jobId'];
      if (name !== undefined && !ids.has(name)) ids.set(name, String(id));
    });
    await clock.playTo(START + END_MS);
    await Promise.all(calls);
    for (const [index, reply] of wanted.replies.entries()) {
      const got = heard[index] ?? null;
      if (reply === null) {
        expect(got).toBeNull();
        continue;
      }
      const { envelope } = got?.reply ?? {};
      expect(envelope?.data).toMatchObject({ status: reply.status, jobId: ids.get(reply.job) });
      expect(got?.atMs).toBeLessThanOrEqual(reply.byMs);
      if (reply.usedWaitMsMax !== undefined)
        expect(envelope?.data['usedWaitMs']).toBeLessThanOrEqual(reply.usedWaitMsMax);
      if (reply.bytesMax !== undefined && got)
        expect(Buffer.byteLength(JSON.stringify(toToolResult(got.reply)))).toBeLessThanOrEqual(
          reply.bytesMax,
        );
    }
    if (wanted.buildsStarted !== undefined) expect(build.started).toBe(wanted.buildsStarted);
    if (wanted.buildFinished !== undefined) expect(build.finished > 0).toBe(wanted.buildFinished);
    if (wanted.serverAliveAtMs !== undefined) expect(endedAtMs).toBeGreaterThan(wanted.serverAliveAtMs);
    idle.abort();
  });
});
