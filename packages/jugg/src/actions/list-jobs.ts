import { z } from 'zod';
import { ok } from '../shared/outcome.ts';
import { isFinal } from '../runtime/job-store.ts';
import { defineAction, READ_ONLY } from './action.ts';
import { withProject } from './gates/project.ts';
import { errorCode, jobOutput, projectArgs, time } from './shapes.ts';

export const listJobs = defineAction({
  name: 'list-jobs',
  title: 'List jobs',
  description: "Lists the project's jobs, newest first, also those of earlier server runs.",
  input: z.strictObject({ ...projectArgs, limit: z.number().int().min(1).max(50).default(10) }),
  output: z.object({
    jobs: z.array(
      z.object({
        jobId: z.string(),
        kind: jobOutput.shape.kind,
        status: jobOutput.shape.status,
        isFinal: z.boolean(),
        message: z.string(),
        errorCode: errorCode.nullable(),
        createdAt: time,
        startedAt: time.nullable(),
        finishedAt: time.nullable(),
      }),
    ),
  }),
  annotations: READ_ONLY,
  run: withProject(
    async (input, { runtime, projectDir }) => {
      const records = await runtime.jobs.list(projectDir, input.limit);
      const jobs = records.map(
        ({ jobId, kind, status, message, errorCode: code, createdAt, startedAt, finishedAt }) => ({
          jobId,
          kind,
          status,
          isFinal: isFinal(status),
          message,
          errorCode: code,
          createdAt,
          startedAt,
          finishedAt,
        }),
      );
      const count = `${jobs.length} ${jobs.length === 1 ? 'job' : 'jobs'}`;
      const message =
        jobs.length < input.limit ? `${count}.` : `The newest ${count}; a higher limit may show more.`;
      return ok({ message, data: { jobs } });
    },
    { mayBeGone: true },
  ),
});
