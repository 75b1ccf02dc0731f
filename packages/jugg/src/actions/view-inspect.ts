import { z } from 'zod';
import { defineContract, READ_ONLY } from './action.ts';
import { deviceArgs, target } from './shapes.ts';

export const viewInspect = defineContract({
  name: 'view-inspect',
  title: 'Inspect a view',
  description:
    'Reads properties of one view by getter chains such as getPaint.getTextSize; without expressions a standard set.',
  input: z.strictObject({
    ...deviceArgs,
    target,
    expressions: z.array(z.string()).min(1).max(20).optional(),
  }),
  output: z.object({
    ref: z.string(),
    className: z.string(),
    resourceId: z.string().nullable(),
    density: z.number(),
    values: z.array(
      z.object({
        expression: z.string(),
        value: z.unknown(),
        type: z.string(),
        error: z.string().optional(),
      }),
    ),
    source: z.object({ file: z.string(), line: z.number() }).optional(),
  }),
  annotations: READ_ONLY,
});
