import type { AdbConnection } from '../adb/types.ts';
import { judgeDump, type DumpFailure, type DumpSuccess } from '../formats/uiautomator.ts';
import type { UiNode } from '../formats/uiautomator-xml.ts';
import { parseWindowFocus } from '../formats/window-focus.ts';
import type { Clock } from '../shared/clock.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { HostRefs } from './host-refs.ts';
import { run } from './shell.ts';
import type { Screen, ViewNode, ViewTree, ViewWindow } from './tree.ts';

const ATTEMPTS = 3;
const PAUSE_MS = 300;
/** A dump waits up to 10 s for an idle screen by itself. */
const DUMP_TIMEOUT_MS = 20_000;

export interface DumpContext {
  readonly connection: AdbConnection;
  readonly clock: Clock;
  readonly refs: HostRefs;
  readonly screen: Screen;
}

/** The screen as uiautomator sees it: visible nodes only, of the active window. */
export async function readByUiautomator(
  context: DumpContext,
  packageName: string,
  signal: AbortSignal,
): Promise<Result<ViewTree>> {
  let compressed = false;
  for (let attempt = 1; ; attempt += 1) {
    const judged = await dump(context, packageName, { attempt, compressed }, signal);
    if (!judged.ok) return judged;
    const { next } = judged.value;
    if (next === 'none' || attempt >= ATTEMPTS) return conclude(judged.value, context, packageName);
    if (next === 'compressed') compressed = true;
    await context.clock.sleep(PAUSE_MS, signal);
  }
}

async function dump(
  { connection }: DumpContext,
  packageName: string,
  { attempt, compressed }: { readonly attempt: number; readonly compressed: boolean },
  signal: AbortSignal,
): Promise<Result<DumpSuccess | DumpFailure>> {
  // A path of its own: an old file would be read as the new screen, and the default path differs between devices.
  const path = `/data/local/tmp/jugg-ui-${process.pid}-${attempt}.xml`;
  const command = ['uiautomator', 'dump', ...(compressed ? ['--compressed'] : []), path];
  const dumped = await connection.shell(command, { signal, timeoutMs: DUMP_TIMEOUT_MS });
  if (!dumped.ok) return dumped;
  const read = await run(connection, `cat ${path} && rm ${path}`, signal);
  if (!read.ok) return read;
  const focus = await run(connection, 'dumpsys window displays; dumpsys window windows', signal);
  if (!focus.ok) return focus;
  return ok(
    judgeDump({
      ...dumped.value,
      compressed,
      attempt,
      file: read.value.stdout.includes('<hierarchy') ? read.value.stdout : null,
      focus: parseWindowFocus(focus.value.stdout),
      wantedPackage: packageName,
    }),
  );
}

function conclude(
  judged: DumpSuccess | DumpFailure,
  { refs, screen }: DumpContext,
  packageName: string,
): Result<ViewTree> {
  if (!judged.ok) return fail(judged.error, judged.message, { data: { exception: judged.exception } });
  const { hierarchy, dialog, emptyWebViews, windowMismatch } = judged;
  refs.begin();
  const windows = hierarchy.roots.map((root, i): ViewWindow => {
    const node = toNode(root, [i], refs);
    return {
      type: dialog ? 'system' : 'activity',
      title: root.packageName,
      focused: true,
      boundsPx: node.boundsPx,
      root: node,
    };
  });
  const notes = [
    ...(dialog ? [`The system shows a ${dialog.kind} dialog for ${dialog.packageName ?? 'an app'}.`] : []),
    ...(emptyWebViews > 0 ? [`${emptyWebViews} web view(s) have no content yet.`] : []),
    ...(windowMismatch ? ['Another window than the one that was read has the focus.'] : []),
  ];
  return ok({
    source: 'uiautomator',
    fallbackReason: null,
    packageName,
    screen: { ...screen, rotation: hierarchy.rotation },
    windows,
    nodes: hierarchy.nodeCount,
    truncated: false,
    mainThreadMs: null,
    notes,
  });
}

function toNode(node: UiNode, path: readonly number[], refs: HostRefs): ViewNode {
  const { flags, bounds } = node;
  const isEditor = /\bEditText$|AutoCompleteTextView$/.test(node.className);
  return {
    ref: refs.of([path.join('.'), node.className, node.resourceId].join('|')),
    kind: 'view',
    className: node.className,
    resourceId: node.resourceId || null,
    text: node.text || null,
    contentDesc: node.contentDesc || null,
    hint: null,
    testTag: null,
    boundsPx: bounds,
    // uiautomator leaves out what cannot be seen.
    visible: bounds[2] > bounds[0] && bounds[3] > bounds[1],
    visibility: 'visible',
    enabled: flags.has('enabled'),
    clickable: flags.has('clickable'),
    longClickable: flags.has('long-clickable'),
    checkable: flags.has('checkable'),
    checked: flags.has('checked'),
    selected: flags.has('selected'),
    focusable: flags.has('focusable'),
    focused: flags.has('focused'),
    editable: isEditor,
    scrollable: flags.has('scrollable'),
    password: flags.has('password'),
    alpha: 1,
    children: node.children.map((child, i) => toNode(child, [...path, i], refs)),
  };
}
