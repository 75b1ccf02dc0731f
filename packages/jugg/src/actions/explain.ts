import { z } from 'zod';
import { defineContract, READ_ONLY } from './action.ts';
import { buildArgs, projectArgs } from './shapes.ts';

export const explain = defineContract({
  name: 'explain',
  title: 'Explain the next deploy',
  description:
    'Says what the next deploy would compile and how it would deploy it, or which rule forces a full build. Runs nothing.',
  input: z.strictObject({ ...projectArgs, ...buildArgs }),
  output: z.object({
    rule: z.string(),
    reason: z.string(),
    stages: z.array(z.string()),
    files: z.array(z.string()),
    recompileBecause: z.array(z.object({ file: z.string(), because: z.string() })),
    supported: z.array(z.object({ feature: z.string(), how: z.enum(['incremental', 'gradle', 'refused']) })),
    estimateMs: z.number().nullable(),
  }),
  annotations: READ_ONLY,
});
