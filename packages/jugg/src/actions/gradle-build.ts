import { z } from 'zod';
import { defineContract } from './action.ts';
import { buildArgs, jobOutput, projectArgs, timeoutMs } from './shapes.ts';

export const gradleBuild = defineContract({
  name: 'gradle-build',
  title: 'Gradle build',
  description:
    "Runs the project's own Gradle build and makes it the new baseline; tasks runs those instead, e.g. unit tests.",
  input: z.strictObject({
    ...projectArgs,
    serial: z.string().optional(),
    ...buildArgs,
    tasks: z.array(z.string()).min(1).optional(),
    install: z.boolean().default(true),
    offline: z.boolean().optional(),
    waitAppReadyAfterSuccess: z.boolean().optional(),
    timeoutMs,
  }),
  output: jobOutput,
});
