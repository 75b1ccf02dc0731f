import { z } from 'zod';
import { defineContract, READ_ONLY } from './action.ts';
import { deviceArgs } from './shapes.ts';

export const figmaLayoutVerify = defineContract({
  name: 'figma-layout-verify',
  title: 'Verify against a Figma design',
  description:
    'Compares the screen with a Figma node tree: sizes, spacing, alignment, texts, colours, corner radius.',
  input: z.strictObject({
    ...deviceArgs,
    figma: z
      .record(z.string(), z.unknown())
      .describe(
        'Node tree: name, type, absoluteBoundingBox, children, characters?, fills?, cornerRadius?, style?',
      ),
    scale: z.number().positive().optional(),
    tolerance: z
      .strictObject({ dp: z.number().min(0).default(2), ratio: z.number().min(0).default(0.05) })
      .optional(),
    diffImage: z.boolean().default(false),
  }),
  output: z.object({
    passed: z.boolean(),
    matched: z.array(z.unknown()),
    unmatchedFigma: z.array(z.unknown()),
    unmatchedViews: z.array(z.unknown()),
    differences: z.array(
      z.object({
        kind: z.enum(['size', 'spacing', 'alignment', 'text', 'color', 'radius']),
        expected: z.unknown(),
        actual: z.unknown(),
        delta: z.number().nullable(),
        nodes: z.array(z.string()),
      }),
    ),
  }),
  annotations: READ_ONLY,
});
