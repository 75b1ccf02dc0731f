import { z } from 'zod';
import { LogWatch, type StopReason } from '../device/log-watch.ts';
import type { LogEntry } from '../device/types.ts';
import { markerTest } from '../formats/log-marker.ts';
import { writeArtifact } from '../runtime/artifacts.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { defineAction, READ_ONLY, type Answer } from './action.ts';
import type { AppContext } from './context.ts';
import { onApp } from './gates/app.ts';
import { crash as crashShape, deviceArgs, time } from './shapes.ts';

const SHOWN_LINES = 100;
/** Kept back from the call's deadline for reading the processes and writing the file. */
const RESERVE_MS = 3000;
/** How often the list of processes is looked at: a death is not always told of in the log. */
const PROCESS_POLL_MS = 1000;
/** After the end was seen, lines that belong to it may still be on their way (a stack is many lines). */
const TRAILING_MS = 150;

const input = z.strictObject({
  ...deviceArgs,
  marker: z.string().min(1).optional().describe('Regular expression'),
  literal: z.boolean().default(false),
  tags: z.array(z.string()).optional(),
  timeoutMs: z.number().int().min(0).default(30_000),
  since: z.enum(['deploy', 'now']).default('deploy'),
  cursor: z.string().optional(),
});

export const waitLogs = defineAction({
  name: 'wait-logs',
  title: 'Wait for logs',
  description:
    "Reads the app's logs since the last deploy or restart. With marker it waits until a line matches, the app crashes or exits; without it answers at once.",
  input,
  output: z.object({
    stopReason: z.enum(['marker', 'crash', 'anr', 'exit', 'timeout', 'none']),
    matched: z.string().optional(),
    startTime: time.nullable(),
    endTime: time.nullable(),
    pids: z.array(z.number().int()),
    processes: z.array(
      z.object({
        pid: z.number().int(),
        name: z.string(),
        state: z.enum(['running', 'died']),
        reason: z.string().optional(),
      }),
    ),
    logs: z.array(z.string()),
    crash: crashShape.optional(),
    allLogsPath: z.string(),
    truncated: z.boolean(),
    cursor: z.string(),
    gap: z.boolean().optional(),
    usedWaitMs: z.number().optional(),
  }),
  annotations: READ_ONLY,
  run: onApp({ online: false, inFront: false }, async (given, context) => {
    const marker = given.marker === undefined ? ok(null) : markerTest(given.marker, given.literal);
    if (!marker.ok) return marker;
    const start = await startTime(given, context);
    if (!start.ok) return start;
    const watch = new LogWatch(context.packageName, marker.value, given.tags ?? null);
    const running = await context.device.processes(context.packageName, context.signal);
    if (!running.ok) return running;
    watch.know(running.value);
    if (!marker.value) {
      const logs = await context.device.logs({ sinceMs: start.value }, context.signal);
      if (!logs.ok) return logs;
      watch.feed(logs.value);
      return conclude(watch, 'none', false, start.value, undefined, context);
    }
    const limit = Math.max(0, Math.min(given.timeoutMs, context.remainingMs() - RESERVE_MS));
    const waited = await follow(watch, start.value, limit, context);
    if (!waited.ok) return waited;
    const usedWaitMs = limit < given.timeoutMs ? Math.round(limit) : undefined;
    return conclude(watch, watch.stopReason ?? 'timeout', waited.value.gap, start.value, usedWaitMs, context);
  }),
});

/** On the device's own clock, in ms; `null` for everything that is in the buffers. */
async function startTime(given: z.output<typeof input>, context: AppContext): Promise<Result<number | null>> {
  if (given.cursor !== undefined) {
    const at = /^t(\d+)$/.exec(given.cursor);
    return at
      ? ok(Number(at[1]))
      : fail(
          'INVALID_PARAMS',
          `cursor: got "${given.cursor.slice(0, 40)}", expected one that wait-logs gave`,
        );
  }
  if (given.since === 'now') return context.device.now(context.signal);
  const deployed = await (
    await context.runtime.deployer()
  ).lastDeployed(context.projectDir, context.device.serial);
  return ok(deployed?.applicationId === context.packageName ? deployed.deviceTimeMs : null);
}

/** Follows the log until the watch is satisfied or the limit is over. */
async function follow(
  watch: LogWatch,
  sinceMs: number | null,
  limitMs: number,
  { device, packageName, signal }: AppContext,
): Promise<Result<{ gap: boolean }>> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const timer = setTimeout(() => stop.abort(), limitMs);
  let gap = false;
  let ending = false;
  const endSoon = (): void => {
    if (ending || watch.stopReason === null) return;
    ending = true;
    setTimeout(() => stop.abort(), watch.stopReason === 'marker' ? 0 : TRAILING_MS);
  };
  const looking = setInterval(() => {
    void device.processes(packageName, either).then((listed) => {
      if (!listed.ok || either.aborted) return;
      watch.know(listed.value);
      watch.gone(listed.value);
      endSoon();
    });
  }, PROCESS_POLL_MS);
  const followed = await device.followLogs(
    { sinceMs },
    (entries, missed) => {
      gap ||= missed;
      watch.feed(entries);
      endSoon();
    },
    either,
  );
  clearTimeout(timer);
  clearInterval(looking);
  if (signal.aborted) return fail('CANCELED', 'Waiting for logs was canceled.');
  // Ended by ourselves: that is how a wait ends.
  if (!followed.ok && !stop.signal.aborted) return followed;
  return ok({ gap });
}

async function conclude(
  watch: LogWatch,
  stopReason: StopReason,
  gap: boolean,
  startMs: number | null,
  usedWaitMs: number | undefined,
  context: AppContext,
): Promise<Result<Answer>> {
  const { lines, crash, matched, processes, all } = watch;
  const allLogsPath = await writeArtifact(context.runtime, 'logs.txt', all.map(format).join('\n'));
  const last = all.findLast((entry) => entry.timeMs !== null)?.timeMs ?? startMs;
  const data = {
    stopReason,
    ...(matched ? { matched: format(matched) } : {}),
    startTime: iso(startMs),
    endTime: iso(last),
    pids: processes.map((process) => process.pid),
    processes: processes.map(({ pid, name, state, reason }) => ({
      pid,
      name,
      state,
      ...(reason === null ? {} : { reason }),
    })),
    logs: lines.slice(-SHOWN_LINES).map(format),
    ...(crash
      ? {
          crash: {
            exception: crash.exception,
            message: crash.message,
            stack: crash.stack,
            process: crash.process,
          },
        }
      : {}),
    allLogsPath,
    truncated: lines.length > SHOWN_LINES,
    cursor: `t${last === null ? 0 : last + 1}`,
    ...(gap ? { gap } : {}),
    ...(usedWaitMs === undefined ? {} : { usedWaitMs }),
  };
  const artifacts = [{ type: 'log' as const, path: allLogsPath }];
  const { packageName } = context;
  switch (stopReason) {
    case 'crash':
    case 'anr':
      return fail(
        'APP_CRASHED',
        `${packageName} ${stopReason === 'anr' ? 'does not respond' : 'crashed'}: ${crash?.exception ?? 'unknown'}${crash?.message ? `: ${crash.message.slice(0, 300)}` : ''}`,
        { data, artifacts },
      );
    case 'exit':
      return fail('APP_EXITED', `The main process of ${packageName} ended; see the last lines of its log.`, {
        data,
        artifacts,
      });
    case 'marker':
      return ok({ message: 'The marker was seen.', data, artifacts });
    case 'timeout':
      return ok({ message: `The marker was not seen in time; ${lines.length} lines were.`, data, artifacts });
    case 'none':
      return ok({ message: `${lines.length} lines.`, data, artifacts });
  }
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function format(entry: LogEntry): string {
  return `${entry.time ?? ''} ${entry.pid} ${entry.tid ?? ''} ${entry.level} ${entry.tag}: ${entry.message}`.trim();
}
