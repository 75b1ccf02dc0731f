import { z } from 'zod';
import { locate } from '../device/locate.ts';
import { ok } from '../shared/outcome.ts';
import { defineAction, READ_ONLY } from './action.ts';
import { onApp } from './gates/app.ts';
import { bounds, count, deviceArgs, match, point, target } from './shapes.ts';
import { describeNode, matchRow, notFound } from './view-rows.ts';

export const viewLocate = defineAction({
  name: 'view-locate',
  title: 'Locate a view',
  description:
    'Finds elements by text, id, description, class or ref and gives their refs, bounds (dp and px) and state.',
  input: z.strictObject({
    ...deviceArgs,
    target,
    visibleOnly: z.boolean().default(true),
    maxResults: z.number().int().min(1).max(100).default(10),
  }),
  output: z.object({
    found: z.boolean(),
    matchCount: count,
    returnedCount: count,
    truncated: z.boolean(),
    matches: z.array(match),
    bounds: bounds.optional(),
    position: point.optional(),
    size: point.optional(),
  }),
  annotations: READ_ONLY,
  run: onApp({ online: true, inFront: true }, async (input, { device, packageName, signal }) => {
    // Hidden ones are read as well: a near miss that is only hidden says more than none.
    const tree = await device.tree(packageName, { includeGone: true }, signal);
    if (!tree.ok) return tree;
    const located = locate(tree.value, input.target, { visibleOnly: input.visibleOnly });
    if (!located.ok) return located;
    const { matches, nearMisses } = located.value;
    if (matches.length === 0) return notFound(input.target, nearMisses);
    const rows = matches.slice(0, input.maxResults).map(matchRow);
    const [only] = rows;
    const single =
      only && matches.length === 1
        ? {
            bounds: only.bounds,
            position: [only.bounds[0], only.bounds[1]],
            size: [hundredths(only.bounds[2] - only.bounds[0]), hundredths(only.bounds[3] - only.bounds[1])],
          }
        : {};
    const [first] = matches;
    return ok({
      message:
        matches.length === 1 && first
          ? `Found ${describeNode(first.node)}.`
          : `Found ${matches.length} elements.`,
      data: {
        found: true,
        matchCount: matches.length,
        returnedCount: rows.length,
        truncated: rows.length < matches.length,
        matches: rows,
        ...single,
      },
    });
  }),
});

/** dp come rounded to a hundredth; so does what is calculated from them. */
function hundredths(dp: number): number {
  return Math.round(dp * 100) / 100;
}
