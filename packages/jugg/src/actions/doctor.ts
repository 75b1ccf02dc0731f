import { z } from 'zod';
import { defineContract } from './action.ts';
import { optionalProjectArgs } from './shapes.ts';

export const doctor = defineContract({
  name: 'doctor',
  title: 'Check the set-up',
  description:
    'Checks JDK, SDK, build tools, adb and each device and says how to mend what is wrong; selfTest installs and removes a tiny app.',
  input: z.strictObject({
    ...optionalProjectArgs,
    serial: z.string().optional(),
    selfTest: z.boolean().default(false),
  }),
  output: z.object({
    checks: z.array(
      z.object({
        name: z.string(),
        ok: z.boolean(),
        found: z.string().nullable(),
        problem: z.string().optional(),
        fix: z.string().optional(),
      }),
    ),
  }),
});
