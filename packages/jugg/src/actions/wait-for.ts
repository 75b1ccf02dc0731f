import { z } from 'zod';
import { defineContract, READ_ONLY } from './action.ts';
import { deviceArgs, match, target } from './shapes.ts';

export const waitFor = defineContract({
  name: 'wait-for',
  title: 'Wait for an element or activity',
  description:
    'Waits until an element is visible, gone, enabled or has a text, or until an activity is on top.',
  input: z.strictObject({
    ...deviceArgs,
    target: target.optional(),
    state: z.enum(['visible', 'gone', 'enabled', 'text-equals']).default('visible'),
    text: z.string().optional(),
    activity: z.string().optional(),
    timeoutMs: z.number().int().min(0).default(10_000),
  }),
  output: z.object({ met: z.boolean(), waitedMs: z.number(), match: match.optional() }),
  annotations: READ_ONLY,
});
