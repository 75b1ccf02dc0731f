import { defineAction } from './action.ts';
import { deployInput } from './deploy-input.ts';
import { deployJob } from './deploy-work.ts';
import { withProject } from './gates/project.ts';
import { jobOutput } from './shapes.ts';

export const deploy = defineAction({
  name: 'deploy',
  title: 'Deploy',
  description:
    'Compiles what changed and puts it into the running app, without losing its state where that is possible; installs and launches the app where it is not.',
  input: deployInput,
  output: jobOutput,
  run: withProject((input, context) =>
    deployJob('deploy', input, context, (deployer, device, request, work) =>
      deployer.deploy(device, request, work),
    ),
  ),
});
