import { z } from 'zod';
import { defineContract } from './action.ts';
import { deviceArgs } from './shapes.ts';

export const app = defineContract({
  name: 'app',
  title: 'Control the app',
  description: 'Stops the app, clears its data, grants or revokes a permission, or opens a link in it.',
  input: z.strictObject({
    ...deviceArgs,
    action: z.enum(['stop', 'clear', 'grant', 'revoke', 'open']),
    permission: z.string().optional(),
    uri: z.string().optional(),
    extras: z.record(z.string(), z.string()).optional(),
  }),
  output: z.object({ action: z.string(), package: z.string() }),
});
