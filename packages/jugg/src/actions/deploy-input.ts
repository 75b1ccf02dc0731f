import { z } from 'zod';
import { buildArgs, deviceSetArgs, projectArgs, timeoutMs } from './shapes.ts';

/** Arguments of `deploy` and `clean-reinstall`. */
export const deployInput = z.strictObject({
  ...projectArgs,
  ...deviceSetArgs,
  ...buildArgs,
  alwaysRestartApp: z.boolean().default(false),
  allowGradle: z.boolean().default(true),
  waitAppReadyAfterSuccess: z.boolean().default(false),
  launchActivity: z.string().optional(),
  timeoutMs,
});
export type DeployInput = z.output<typeof deployInput>;
