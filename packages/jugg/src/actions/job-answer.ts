import type { ErrorCode } from '../shared/errors.ts';
import { ERROR_TABLE } from '../shared/errors.ts';
import { fail, ok, type Artifact, type Result } from '../shared/outcome.ts';
import { isFinal, type JobRecord } from '../runtime/job-store.ts';
import type { LiveJob, JobRequest } from '../runtime/jobs.ts';
import type { Answer } from './action.ts';
import type { CallContext } from './context.ts';

/** Polling much faster than this finds nothing new; much slower wastes the agent's time. */
const POLL_INTERVAL_MS = 2000;

/** Puts a job in the queue and answers as the contract (§4) says: final when it ends in time, else a tiny "running". */
export async function asJob(request: JobRequest, context: CallContext): Promise<Result<Answer>> {
  const { jobs, settings } = context.runtime;
  const submitted = await jobs.submit(request);
  if (!submitted.ok) return submitted;
  const { jobId } = submitted.value;
  const record = await waitFor(jobId, Math.min(settings.softTimeoutMs, context.remainingMs()), context);
  return record ? answerOf(record, jobs.live(jobId)) : noSuchJob(jobId);
}

/** Waits for the end of a job, up to `waitMs`, and tells its progress meanwhile to a caller who asked for that. */
export async function waitFor(
  jobId: string,
  waitMs: number,
  context: CallContext,
): Promise<JobRecord | undefined> {
  const { jobs } = context.runtime;
  const stopWatching = context.progress
    ? jobs.watch(jobId, (job) => context.progress?.(job.phase ?? job.record.status, job.percent))
    : undefined;
  try {
    return await jobs.wait(jobId, waitMs, context.signal);
  } finally {
    stopWatching?.();
  }
}

export function noSuchJob(jobId: string): Result<never> {
  return fail(
    'JOB_NOT_FOUND',
    `There is no job ${JSON.stringify(jobId.slice(0, 64))} of this project; list-jobs lists those that are known.`,
  );
}

/** The envelope follows the job, also in a poll. */
export function answerOf(record: JobRecord, live: LiveJob | undefined): Result<Answer> {
  if (!isFinal(record.status))
    return ok({ message: runningMessage(record, live), data: runningFields(record, live) });
  const data = finalFields(record);
  const artifacts: readonly Artifact[] = [{ type: 'log', path: record.logPath }];
  if (record.status === 'success') return ok({ message: record.message, data, artifacts });
  return fail(toErrorCode(record.errorCode), record.message, { data, artifacts });
}

function runningMessage(record: JobRecord, live: LiveJob | undefined): string {
  const doing = live?.phase ? ` (${live.phase})` : '';
  const state =
    record.status === 'queued'
      ? `waits for ${live?.queuePosition ?? 'other'} job(s) before it`
      : `is running${doing}`;
  return `The ${record.kind} ${state}; ask get-compile-status with jobId ${record.jobId}.`;
}

function runningFields(record: JobRecord, live: LiveJob | undefined): Record<string, unknown> {
  return {
    jobId: record.jobId,
    kind: record.kind,
    status: record.status,
    isFinal: false,
    ...(live?.phase ? { phase: live.phase } : {}),
    ...(live?.percent == null ? {} : { percent: live.percent }),
    ...(record.status === 'queued' && live ? { queuePosition: live.queuePosition } : {}),
    pollIntervalSuggestedMs: POLL_INTERVAL_MS,
  };
}

function finalFields(record: JobRecord): Record<string, unknown> {
  return {
    ...record.data,
    jobId: record.jobId,
    kind: record.kind,
    status: record.status,
    isFinal: true,
    startedAt: record.startedAt,
    finishedAt: record.finishedAt,
    logPath: record.logPath,
  };
}

/** Codes come from a file here; one that this version does not know must not break the envelope. */
function toErrorCode(code: string | null): ErrorCode {
  return code !== null && Object.hasOwn(ERROR_TABLE, code) ? (code as ErrorCode) : 'INTERNAL_ERROR';
}
