import { z } from 'zod';
import { cropAndScale } from '../device/picture.ts';
import { locate } from '../device/locate.ts';
import type { Mark } from '../device/marks.ts';
import type { Bounds } from '../device/tree.ts';
import { walk } from '../device/tree-walk.ts';
import { writeArtifact } from '../runtime/artifacts.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { defineAction, READ_ONLY } from './action.ts';
import type { AppContext } from './context.ts';
import { onApp } from './gates/app.ts';
import { count, deviceArgs, target, type Target } from './shapes.ts';
import { notFound } from './view-rows.ts';

/** A picture in the answer itself is at most this large (contract §1). */
const INLINE_BYTES = 1024 * 1024;

export const screenshot = defineAction({
  name: 'screenshot',
  title: 'Screenshot',
  description:
    'Takes a picture of the screen, or of one element (target), scaled down to maxSize px if asked.',
  input: z.strictObject({
    ...deviceArgs,
    target: target.optional(),
    annotate: z.boolean().default(false),
    maxSize: z.number().int().min(64).max(4096).optional().describe('Longer side in px'),
  }),
  output: z.object({
    file: z.string(),
    width: count,
    height: count,
    scale: z.number(),
    secure: z.boolean(),
    black: z.boolean(),
  }),
  annotations: READ_ONLY,
  run: onApp({ online: false, inFront: false }, async (input, context) => {
    const { device, runtime, signal } = context;
    const crop = input.target ? await boundsOf(input.target, context) : ok(null);
    if (!crop.ok) return crop;
    const marks = input.annotate ? await clickable(context) : ok([]);
    if (!marks.ok) return marks;
    const taken = await device.screenshot(signal);
    if (!taken.ok) return taken;
    const wish = { crop: crop.value, maxSize: input.maxSize ?? null, marks: marks.value };
    const picture = cropAndScale(taken.value.png, wish);
    if (!picture.ok) return picture;
    const { png, width, height, scale } = picture.value;
    const file = await writeArtifact(runtime, 'screenshot.png', png);
    const { black } = taken.value;
    const state = black ? await device.interactivity(signal) : ok({ interactive: true });
    const isOn = !state.ok || state.value.interactive;
    const note = !black
      ? ''
      : isOn
        ? ' It is black: the window is protected.'
        : ' It is black: the screen is off.';
    return ok({
      message: `Screenshot of ${width}x${height} px.${note}`,
      data: { file, width, height, scale, secure: black && isOn, black },
      artifacts: [{ type: 'image', path: file }],
      ...(png.length <= INLINE_BYTES ? { imagePng: Buffer.from(png) } : {}),
    });
  }),
});

/** What can be pressed, with its ref. */
async function clickable({ device, packageName, signal }: AppContext): Promise<Result<readonly Mark[]>> {
  const tree = await device.tree(packageName, { includeGone: false }, signal);
  if (!tree.ok) return tree;
  const marks = [];
  for (const { node } of walk(tree.value))
    if (node.visible && node.clickable) marks.push({ bounds: node.boundsPx, label: node.ref });
  return ok(marks);
}

async function boundsOf(
  wanted: Target,
  { device, packageName, signal }: AppContext,
): Promise<Result<Bounds>> {
  const tree = await device.tree(packageName, { includeGone: false }, signal);
  if (!tree.ok) return tree;
  const located = locate(tree.value, wanted, { visibleOnly: true });
  if (!located.ok) return located;
  const [first, ...more] = located.value.matches;
  if (!first) return notFound(wanted, located.value.nearMisses);
  if (more.length > 0)
    return fail('MULTIPLE_ELEMENTS', `${more.length + 1} elements match; make the target more exact.`);
  return ok(first.node.boundsPx);
}
