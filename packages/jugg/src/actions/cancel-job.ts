import { z } from 'zod';
import { fail, ok } from '../shared/outcome.ts';
import { isFinal } from '../runtime/job-store.ts';
import { defineAction } from './action.ts';
import { withProject } from './gates/project.ts';
import { answerOf, noSuchJob } from './job-answer.ts';
import { jobOutput, projectArgs } from './shapes.ts';

export const cancelJob = defineAction({
  name: 'cancel-job',
  title: 'Cancel a job',
  description:
    'Ends a job (the running one without jobId) and what it had started, and answers when that has ended.',
  input: z.strictObject({ ...projectArgs, jobId: z.string().optional() }),
  output: jobOutput,
  annotations: { destructiveHint: false, idempotentHint: true },
  run: withProject(
    async (input, context) => {
      const { jobs } = context.runtime;
      const jobId = input.jobId ?? jobs.running(context.projectDir)?.record.jobId;
      if (jobId === undefined) return fail('JOB_NOT_FOUND', 'No job of this project is running.');
      const known = await jobs.get(jobId);
      if (known?.projectDir !== context.projectDir) return noSuchJob(jobId);
      const record = await jobs.cancel(jobId, context.remainingMs(), context.signal);
      if (!record || !isFinal(record.status)) {
        return fail(
          'TIMEOUT',
          `The ${known.kind} was told to end, but has not ended yet; ask get-compile-status.`,
          { data: { jobId } },
        );
      }
      const answer = answerOf(record, undefined);
      const data = answer.ok ? answer.value.data : (answer.fault.data ?? {});
      const message =
        record.status === 'canceled'
          ? `The ${record.kind} was canceled.`
          : `The ${record.kind} had already ended: ${record.message}`;
      return ok({ message, data });
    },
    { mayBeGone: true },
  ),
});
