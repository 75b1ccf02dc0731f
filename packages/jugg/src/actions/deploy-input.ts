import { z } from 'zod';
import { buildArgs, deviceSetArgs, launchActivity, projectArgs, timeoutMs } from './shapes.ts';

/** Arguments of `deploy` and `clean-reinstall`. */
export const deployInput = z.strictObject({
  ...projectArgs,
  ...deviceSetArgs,
  ...buildArgs,
  alwaysRestartApp: z.boolean().default(false),
  allowGradle: z.boolean().default(true),
  waitAppReadyAfterSuccess: z.boolean().default(false),
  launchActivity,
  timeoutMs,
});
export type DeployInput = z.output<typeof deployInput>;
