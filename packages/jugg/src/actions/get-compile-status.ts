import { z } from 'zod';
import { defineAction, READ_ONLY } from './action.ts';
import { withProject } from './gates/project.ts';
import { answerOf, noSuchJob, waitFor } from './job-answer.ts';
import { jobOutput, projectArgs } from './shapes.ts';

/** Time kept back from a call's deadline for the answer itself. */
const RESERVE_MS = 2000;

export const getCompileStatus = defineAction({
  name: 'get-compile-status',
  title: 'Job status',
  description:
    'Asks how a job stands (the latest of the project without jobId); waitTimeoutMs waits for its end.',
  input: z.strictObject({
    ...projectArgs,
    jobId: z.string().optional(),
    waitTimeoutMs: z.number().int().min(0).default(0),
  }),
  output: jobOutput.extend({ usedWaitMs: z.number().optional() }),
  annotations: READ_ONLY,
  run: withProject(
    async (input, context) => {
      const { jobs } = context.runtime;
      const latest =
        input.jobId === undefined ? (await jobs.list(context.projectDir, 1))[0]?.jobId : input.jobId;
      if (latest === undefined) return noSuchJob('of this project yet');
      const waitMs = Math.max(
        0,
        Math.min(input.waitTimeoutMs, Math.round(context.remainingMs()) - RESERVE_MS),
      );
      const record = await waitFor(latest, waitMs, context);
      if (record?.projectDir !== context.projectDir) return noSuchJob(latest);
      const answer = answerOf(record, jobs.live(latest));
      if (!answer.ok || waitMs === input.waitTimeoutMs) return answer;
      return { ok: true, value: { ...answer.value, data: { ...answer.value.data, usedWaitMs: waitMs } } };
    },
    { mayBeGone: true },
  ),
});
