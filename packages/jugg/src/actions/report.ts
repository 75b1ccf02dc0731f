import { z } from 'zod';
import { defineContract } from './action.ts';
import { optionalProjectArgs } from './shapes.ts';

export const report = defineContract({
  name: 'report',
  title: 'Diagnostics report',
  description: 'Writes a redacted diagnostics zip on this machine, for a bug report; nothing is sent.',
  input: z.strictObject({ ...optionalProjectArgs, jobId: z.string().optional() }),
  output: z.object({ file: z.string(), size: z.number(), sha256: z.string(), entries: z.array(z.string()) }),
});
