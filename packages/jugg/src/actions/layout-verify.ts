import { z } from 'zod';
import { defineContract, READ_ONLY } from './action.ts';
import { deviceArgs, target } from './shapes.ts';

const property = z.enum([
  'width',
  'height',
  'left',
  'top',
  'right',
  'bottom',
  'centerX',
  'centerY',
  'gapTo',
  'text',
  'textSize',
  'color',
  'background',
  'radius',
  'alpha',
  'visible',
  'enabled',
  'checked',
  'count',
  'order',
  'inside',
]);

export const layoutVerify = defineContract({
  name: 'layout-verify',
  title: 'Verify the layout',
  description:
    'Checks sizes, positions, texts and colours of views in dp, sp and #AARRGGBB; a failed check is passed: false, not an error.',
  input: z.strictObject({
    ...deviceArgs,
    checks: z
      .array(
        z.strictObject({
          target,
          property,
          op: z.enum(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'contains', 'matches']).optional(),
          expected: z.union([z.string(), z.number(), z.boolean()]).optional(),
          tolerance: z.number().min(0).optional(),
          to: z
            .strictObject({ target, edge: z.enum(['left', 'top', 'right', 'bottom']).optional() })
            .optional(),
        }),
      )
      .min(1)
      .max(100),
  }),
  output: z.object({
    passed: z.boolean(),
    failed: z.number().int(),
    results: z.array(
      z.object({
        ok: z.boolean(),
        property: z.string(),
        expected: z.unknown(),
        actual: z.unknown(),
        unit: z.string().nullable(),
        delta: z.number().nullable(),
      }),
    ),
  }),
  annotations: READ_ONLY,
});
