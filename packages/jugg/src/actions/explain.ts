import { z } from 'zod';
import type { Explanation } from '../engine/types.ts';
import { ok } from '../shared/outcome.ts';
import { defineAction, READ_ONLY } from './action.ts';
import { withProject } from './gates/project.ts';
import { buildArgs, projectArgs } from './shapes.ts';

export const explain = defineAction({
  name: 'explain',
  title: 'Explain the next deploy',
  description:
    'Says what the next compile or deploy would compile and why, or which rule forces a full build. Runs nothing.',
  input: z.strictObject({ ...projectArgs, ...buildArgs }),
  output: z.object({
    rule: z.string(),
    reason: z.string(),
    stages: z.array(z.string()),
    files: z.array(z.string()),
    recompileBecause: z.array(z.object({ file: z.string(), because: z.string() })),
    supported: z.array(z.object({ feature: z.string(), how: z.enum(['incremental', 'gradle', 'refused']) })),
    estimateMs: z.number().nullable(),
  }),
  annotations: READ_ONLY,
  run: withProject(async ({ module, variant }, { runtime, projectDir }) => {
    const engine = await runtime.engine();
    const explained = await engine.explain({
      projectDir,
      ...(module === undefined ? {} : { module }),
      ...(variant === undefined ? {} : { variant }),
    });
    if (!explained.ok) return explained;
    const { kind: _, ...data } = explained.value;
    return ok({ message: sentence(explained.value), data });
  }),
});

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function sentence({ kind, rule, reason, files, recompileBecause, estimateMs }: Explanation): string {
  const time = estimateMs === null ? '' : ` The last one of this kind took ${estimateMs} ms.`;
  switch (kind) {
    case 'gradle':
      return `${reason} (${rule}).`;
    case 'none':
      return `Nothing to compile: ${reason}.`;
    case 'full':
      return `A full build of ${files.length} files, because ${reason} (${rule}).${time}`;
    case 'incremental':
      return `${capitalized(reason)}: ${files.length} to compile or package, and up to ${recompileBecause.length} more to compile again.${time}`;
  }
}
