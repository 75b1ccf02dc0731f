import { z } from 'zod';
import { defineAction } from './action.ts';
import { deployInput } from './deploy-input.ts';
import { deployJob } from './deploy-work.ts';
import { withProject } from './gates/project.ts';
import { jobOutput } from './shapes.ts';

export const cleanReinstall = defineAction({
  name: 'clean-reinstall',
  title: 'Clean reinstall',
  description:
    'Uninstalls the app and installs its current state, for when data or an overlay stands in the way. keepData installs over it instead.',
  input: deployInput.extend({ keepData: z.boolean().default(false) }),
  output: jobOutput,
  run: withProject(({ keepData, ...input }, context) =>
    deployJob('clean-reinstall', input, context, (deployer, device, request, work) =>
      deployer.reinstall(device, { ...request, keepData }, work),
    ),
  ),
});
