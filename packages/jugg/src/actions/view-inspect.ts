import { z } from 'zod';
import { ok } from '../shared/outcome.ts';
import { defineAction, READ_ONLY } from './action.ts';
import { onApp } from './gates/app.ts';
import { oneElement } from './one-element.ts';
import { deviceArgs, target } from './shapes.ts';
import { describeNode } from './view-rows.ts';

export const viewInspect = defineAction({
  name: 'view-inspect',
  title: 'Inspect a view',
  description:
    'Reads properties of one view by getter chains such as getPaint.getTextSize; without expressions a standard set.',
  input: z.strictObject({
    ...deviceArgs,
    target,
    expressions: z.array(z.string()).min(1).max(20).optional(),
  }),
  output: z.object({
    ref: z.string(),
    className: z.string(),
    resourceId: z.string().nullable(),
    density: z.number(),
    values: z.array(
      z.object({
        expression: z.string(),
        value: z.unknown(),
        type: z.string(),
        error: z.string().optional(),
      }),
    ),
    source: z.object({ file: z.string(), line: z.number() }).optional(),
  }),
  annotations: READ_ONLY,
  run: onApp({ online: true, inFront: true }, async (given, context) => {
    const { device, packageName, signal, runtime } = context;
    const tree = await device.tree(packageName, { includeGone: true }, signal);
    if (!tree.ok) return tree;
    const found = oneElement(tree.value, given.target, { visibleOnly: false, instead: 'one was asked for' });
    if (!found.ok) return found;
    const { node } = found.value;
    const { allowAppGetters } = runtime.settings;
    const request = { ref: node.ref, expressions: given.expressions ?? null, allowAppGetters };
    const values = await device.inspect(packageName, request, signal);
    if (!values.ok) return values;
    const failed = values.value.filter(({ error }) => error !== undefined).length;
    return ok({
      message: `${values.value.length} values of ${describeNode(node)}${failed === 0 ? '' : `, ${failed} with an error of their own`}.`,
      data: {
        ref: node.ref,
        className: node.className,
        resourceId: node.resourceId,
        density: tree.value.screen.density,
        values: values.value,
      },
    });
  }),
});
