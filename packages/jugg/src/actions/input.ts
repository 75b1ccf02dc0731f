import { z } from 'zod';
import { defineContract } from './action.ts';
import { deviceArgs, target } from './shapes.ts';

export const input = defineContract({
  name: 'input',
  title: 'Type text or press a key',
  description:
    'Types text (any script) into the focused or named field, or presses a key such as BACK or ENTER.',
  input: z.strictObject({
    ...deviceArgs,
    text: z.string().optional(),
    key: z.union([z.string(), z.number().int()]).optional(),
    target: target.optional(),
    clear: z.boolean().default(false),
    submit: z.boolean().default(false),
  }),
  output: z.object({ text: z.string().nullable(), verified: z.boolean() }),
});
