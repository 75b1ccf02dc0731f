import { z } from 'zod';
import { diffLayouts } from '../device/layout-diff.ts';
import { layoutHtml } from '../device/layout-html.ts';
import { layoutText } from '../device/layout-text.ts';
import { countNodes, selectWindows } from '../device/layout-select.ts';
import type { ViewTree } from '../device/tree.ts';
import { writeArtifact } from '../runtime/artifacts.ts';
import { ok } from '../shared/outcome.ts';
import { defineAction, READ_ONLY } from './action.ts';
import { onApp } from './gates/app.ts';
import { count, deviceArgs, screen } from './shapes.ts';

/** Longest compact text that goes into the answer itself. */
const INLINE_LIMIT = 12_000;

export const layoutDump = defineAction({
  name: 'layout-dump',
  title: 'Layout dump',
  description:
    'Shows what is on the screen: the view tree of the app. The compact text is in layout (one node a line, with refs to tap); the whole is in file, as format says.',
  input: z.strictObject({
    ...deviceArgs,
    rootLayout: z.string().optional().describe('Only the part below this id'),
    includeGone: z.boolean().default(false),
    allWindows: z.boolean().default(false),
    format: z.enum(['html', 'json', 'text']).default('html'),
    diff: z.boolean().optional(),
    unmerged: z.boolean().optional(),
  }),
  output: z.object({
    file: z.string(),
    contentBytes: count,
    windows: count,
    nodes: count,
    clickable: count,
    truncated: z.boolean(),
    source: z.enum(['inspector', 'uiautomator', 'dumpsys']),
    fallbackReason: z.string().optional(),
    mainThreadMs: z.number().optional(),
    screen,
    layout: z.string().optional(),
  }),
  annotations: READ_ONLY,
  run: onApp({ online: true, inFront: true }, async (input, { device, packageName, runtime, signal }) => {
    const read = await device.tree(packageName, { includeGone: input.includeGone }, signal);
    if (!read.ok) return read;
    const selected = selectWindows(read.value, { allWindows: input.allWindows, rootId: input.rootLayout });
    if (!selected.ok) return selected;
    const tree = selected.value;
    const whole = layoutText(tree);
    const before = runtime.lastDumps.exchange(device.serial, packageName, whole);
    const isDiff = input.diff === true && before !== undefined;
    // A difference has no form but the text.
    const format = isDiff ? 'text' : input.format;
    const text = isDiff ? diffLayouts(before, whole) : whole;
    const content = render(tree, format, text);
    const file = await writeArtifact(runtime, `layout.${format === 'text' ? 'txt' : format}`, content);
    const { nodes, clickable } = countNodes(tree);
    return ok({
      message: `${tree.windows.length} ${tree.windows.length === 1 ? 'window' : 'windows'}, ${nodes} nodes, ${clickable} clickable.${isDiff ? ' The layout has what differs from the last dump.' : input.diff ? ' There is no earlier dump to compare with.' : ''}`,
      data: {
        file,
        contentBytes: Buffer.byteLength(content),
        windows: tree.windows.length,
        nodes,
        clickable,
        truncated: tree.truncated,
        source: tree.source,
        ...(tree.fallbackReason === null ? {} : { fallbackReason: tree.fallbackReason }),
        ...(tree.mainThreadMs === null ? {} : { mainThreadMs: tree.mainThreadMs }),
        screen: tree.screen,
        ...(text.length <= INLINE_LIMIT ? { layout: text } : {}),
      },
      artifacts: [{ type: format, path: file }],
    });
  }),
});

function render(tree: ViewTree, format: 'html' | 'json' | 'text', text: string): string {
  switch (format) {
    case 'html':
      return layoutHtml(tree);
    case 'json':
      return JSON.stringify(tree, null, 2);
    case 'text':
      return text;
  }
}
