import { createHash } from 'node:crypto';
import { systemClock, type Clock } from '../shared/clock.ts';
import { ok, type Result } from '../shared/outcome.ts';
import type { ViewNode, ViewTree } from './tree.ts';
import type { Device } from './types.ts';

/** Contract: a change within a second counts. */
const WITHIN_MS = 1_000;
const POLL_MS = 50;

function describe(node: ViewNode): unknown {
  const { className, resourceId, text, contentDesc, boundsPx, visible, enabled, checked, selected } = node;
  return [
    className,
    resourceId,
    text,
    contentDesc,
    boundsPx,
    visible,
    enabled,
    checked,
    selected,
    node.children.map(describe),
  ];
}

/**
 * What makes two screens differ: text, visibility, bounds, enabled, checked, and the list of windows. Carets, pressed
 * states, focus and pure drawing do not count. Equal for equal screens, whatever the refs.
 */
export function fingerprint(tree: ViewTree): string {
  const windows = tree.windows.map(({ type, title, root }) => [type, title, describe(root)]);
  return createHash('sha256').update(JSON.stringify(windows)).digest('hex');
}

/** Whether the screen becomes different from `before` within a second. An app that went away has changed the screen. */
export async function watchChange(
  device: Device,
  packageName: string,
  before: ViewTree,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<Result<boolean>> {
  const old = fingerprint(before);
  const end = clock.now() + WITHIN_MS;
  for (;;) {
    const now = await device.tree(packageName, { includeGone: false }, signal);
    // It ended, or something else came to the front: the answer to a dialog, a link to another app.
    if (!now.ok && ['APP_NOT_RUNNING', 'APP_NOT_FOREGROUND'].includes(now.fault.code)) return ok(true);
    // A screen that is busy or between two windows is asked again; other faults are the caller's.
    if (!now.ok && !['UI_NOT_IDLE', 'UI_DUMP_EMPTY', 'TIMEOUT'].includes(now.fault.code)) return now;
    if (now.ok && fingerprint(now.value) !== old) return ok(true);
    if (clock.now() >= end) return now.ok ? ok(false) : now;
    await clock.sleep(POLL_MS, signal);
  }
}
