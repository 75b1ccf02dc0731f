import { parseViewHierarchy, type DumpedView } from '../formats/view-hierarchy.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { run } from './shell.ts';
import type { Bounds, ViewNode, ViewTree } from './tree.ts';
import type { DumpContext } from './uiautomator-source.ts';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly shown: boolean;
}

/** The last resort: structure, ids and bounds (scrolling left aside), but no texts. */
export async function readByDumpsys(
  { connection, refs, screen }: DumpContext,
  packageName: string,
  signal: AbortSignal,
): Promise<Result<ViewTree>> {
  const output = await run(connection, 'dumpsys activity top', signal);
  if (!output.ok) return output;
  const dumped = parseViewHierarchy(output.value.stdout, packageName);
  if (!dumped) return fail('UI_DUMP_EMPTY', `${packageName} has no views that the system could dump.`);
  refs.begin();
  let nodes = 0;
  const onScreen = ([left, top, right, bottom]: Bounds): boolean =>
    right > Math.max(left, 0) && bottom > Math.max(top, 0) && left < screen.width && top < screen.height;
  const toNode = (view: DumpedView, parent: Place): ViewNode => {
    nodes += 1;
    const [left, top, right, bottom] = view.bounds;
    const { x, y } = parent;
    // The root's own line has no bounds: it fills the screen.
    const isRoot = right === 0 && bottom === 0 && nodes === 1;
    const boundsPx: Bounds = isRoot
      ? [0, 0, screen.width, screen.height]
      : [x + left, y + top, x + right, y + bottom];
    const shown = parent.shown && view.visibility === 'visible';
    const place = { x: boundsPx[0], y: boundsPx[1], shown };
    const { className, visibility, enabled, clickable, longClickable, focusable, focused, selected } = view;
    return {
      ref: refs.of(view.hash),
      kind: 'view',
      className,
      resourceId: view.resourceId?.replace(/^app:/, `${packageName}:`) ?? null,
      text: null,
      contentDesc: null,
      hint: null,
      testTag: null,
      boundsPx,
      visible: shown && onScreen(boundsPx),
      visibility,
      enabled,
      clickable,
      longClickable,
      checkable: false,
      checked: false,
      selected,
      focusable,
      focused,
      editable: className.endsWith('EditText'),
      scrollable: false,
      password: false,
      alpha: 1,
      children: view.children.map((child) => toNode(child, place)),
    };
  };
  const root = toNode(dumped, { x: 0, y: 0, shown: true });
  return ok({
    source: 'dumpsys',
    fallbackReason: null,
    packageName,
    screen,
    windows: [{ type: 'activity', title: packageName, focused: true, boundsPx: root.boundsPx, root }],
    nodes,
    truncated: false,
    mainThreadMs: null,
    notes: ['Texts and scrolling are not known here.'],
  });
}
