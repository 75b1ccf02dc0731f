import { z } from 'zod';
import { defineContract } from './action.ts';
import { deployInput } from './deploy-input.ts';
import { jobOutput } from './shapes.ts';

export const cleanReinstall = defineContract({
  name: 'clean-reinstall',
  title: 'Clean reinstall',
  description:
    'Uninstalls the app and installs its current state, for when data or an overlay stands in the way. keepData installs over it instead.',
  input: deployInput.extend({ keepData: z.boolean().default(false) }),
  output: jobOutput,
});
