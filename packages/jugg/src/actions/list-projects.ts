import { z } from 'zod';
import { ok } from '../shared/outcome.ts';
import { defineAction, READ_ONLY } from './action.ts';

export const listProjects = defineAction({
  name: 'list-projects',
  title: 'List projects',
  description: 'Lists the projects that were initialised on this machine and whether they have been built.',
  input: z.strictObject({}),
  output: z.object({
    projects: z.array(
      z.object({
        projectDir: z.string(),
        name: z.string(),
        initialized: z.boolean(),
        hasBeenFullCompiled: z.boolean(),
        modules: z.array(z.string()),
        variant: z.string().nullable(),
        applicationId: z.string().nullable(),
        problem: z.string().optional(),
      }),
    ),
  }),
  annotations: READ_ONLY,
  run: async (_input, { runtime }) => {
    const engine = await runtime.engine();
    const known = await runtime.projects.list();
    const projects = await Promise.all(
      known.map(async ({ projectDir }) => {
        const described = await engine.describe(projectDir);
        if (!described.ok) {
          const name = projectDir.split(/[\\/]/).at(-1) ?? projectDir;
          const unknown = { hasBeenFullCompiled: false, modules: [], variant: null, applicationId: null };
          return { projectDir, name, initialized: true, ...unknown, problem: described.fault.message };
        }
        const { name, hasBeenFullCompiled, modules, variant, applicationId } = described.value;
        return {
          projectDir,
          name,
          initialized: true,
          hasBeenFullCompiled,
          modules: modules.map((module) => module.name),
          variant,
          applicationId,
        };
      }),
    );
    return ok({
      message: `${projects.length} ${projects.length === 1 ? 'project' : 'projects'}.`,
      data: { projects },
    });
  },
});
