import { z } from 'zod';
import { defineContract } from './action.ts';
import { deviceSetArgs, jobOutput, projectArgs, timeoutMs } from './shapes.ts';

export const instrument = defineContract({
  name: 'instrument',
  title: 'Run instrumented tests',
  description:
    'Builds, installs and runs the androidTest class or method in sourcePath and reports each case.',
  input: z.strictObject({
    ...projectArgs,
    ...deviceSetArgs,
    sourcePath: z.string().describe('File or folder under an androidTest root'),
    class: z.string().optional(),
    method: z.string().optional(),
    runner: z.string().optional(),
    extras: z.record(z.string(), z.string()).optional(),
    timeoutMs,
  }),
  output: jobOutput,
});
