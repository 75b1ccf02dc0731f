import { z } from 'zod';
import { ok } from '../shared/outcome.ts';
import { defineAction } from './action.ts';
import { compiledFields, compileForJob, compileSentence } from './build-work.ts';
import { withProject } from './gates/project.ts';
import { asJob } from './job-answer.ts';
import { buildArgs, jobOutput, projectArgs, timeoutMs } from './shapes.ts';

export const compile = defineAction({
  name: 'compile',
  title: 'Compile',
  description:
    'Compiles what changed and reports errors with file, line and column. Needs no device and installs nothing.',
  input: z.strictObject({ ...projectArgs, ...buildArgs, allowGradle: z.boolean().default(true), timeoutMs }),
  output: jobOutput,
  annotations: { destructiveHint: false },
  run: withProject(async (input, context) => {
    const { runtime, projectDir } = context;
    const { module, variant, allowGradle } = input;
    const request = {
      projectDir,
      allowGradle,
      ...(module ? { module } : {}),
      ...(variant ? { variant } : {}),
    };
    return asJob(
      {
        kind: 'compile',
        projectDir,
        key: JSON.stringify(['compile', module, variant, allowGradle]),
        timeoutMs: input.timeoutMs,
        run: async (work) => {
          const compiled = await compileForJob(runtime, request, work);
          if (!compiled.ok) return compiled;
          return ok({ message: compileSentence(compiled.value), data: compiledFields(compiled.value) });
        },
      },
      context,
    );
  }),
});
