import { locate } from '../device/locate.ts';
import { fingerprint } from '../device/screen-change.ts';
import { page, scrollers, scrollKey, scrollTo, waysOf, type Scroll } from '../device/scroll-plan.ts';
import type { ViewNode, ViewTree } from '../device/tree.ts';
import type { Device } from '../device/types.ts';
import { systemClock, type Clock } from '../shared/clock.ts';
import { ok, type Result } from '../shared/outcome.ts';
import type { Target } from './shapes.ts';

/** Leaves the rest of a call's 45 s for the touch itself. */
const LIMIT_MS = 30_000;
/** px per ms: slow enough that a list stops about where the finger does. */
const SPEED = 1;
const SHORTEST_MS = 250;
/** So fast that the content is flung. */
const FLING_MS = 200;
const POLL_MS = 60;
const SETTLE_MS = 2_500;

interface Place {
  readonly device: Device;
  readonly packageName: string;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Scrolls until the centre of the one element that fits can be touched, as a finger would, and answers the tree as it is
 * then; `timedOut` when not all was gone through. Lists make views only for what they show, so for an element that is not there yet all that scrolls is gone through,
 * the largest first, to its end and back to its beginning. What cannot be found or moved is left for the caller to tell.
 */
export async function scrollIntoView(
  target: Target,
  before: ViewTree,
  place: Place,
): Promise<Result<{ readonly tree: ViewTree; readonly timedOut: boolean }>> {
  const { clock = systemClock } = place;
  const ends = clock.now() + LIMIT_MS;
  const tried = new Set<string>();
  let tree = before;
  while (!place.signal.aborted) {
    if (clock.now() >= ends) return ok({ tree, timedOut: true });
    const located = locate(tree, target, { visibleOnly: false });
    if (!located.ok) return located;
    const [first, ...more] = located.value.matches;
    const scroll = first
      ? more.length === 0
        ? scrollTo(tree, first.node.ref, tried)
        : null
      : search(tree, tried);
    if (scroll === null || scroll === 'there') break;
    const after = await swipe(scroll, place);
    if (!after.ok) return after;
    if (!hasMoved(tree, after.value, scroll)) tried.add(scrollKey(scroll));
    tree = after.value;
  }
  return ok({ tree, timedOut: false });
}

/** Each view that scrolls to its end, then back to its beginning. */
function search(tree: ViewTree, tried: ReadonlySet<string>): Scroll | null {
  for (const placed of scrollers(tree)) {
    for (const towards of waysOf(placed.node)) {
      const scroll = page(tree, placed, towards);
      if (!tried.has(scrollKey(scroll))) return scroll;
    }
  }
  return null;
}

async function swipe(scroll: Scroll, place: Place): Promise<Result<ViewTree>> {
  const { x, y, endX, endY, isFar } = scroll;
  const distance = Math.abs(endX - x) + Math.abs(endY - y);
  const durationMs = isFar ? FLING_MS : Math.max(SHORTEST_MS, Math.round(distance / SPEED));
  const gesture = { action: 'swipe', x, y, endX, endY, durationMs } as const;
  const done = await place.device.gesture(place.packageName, gesture, place.signal);
  return done.ok ? atRest(place) : done;
}

/** The tree once two looks in a row are the same: what was flung goes on for a while. */
async function atRest({
  device,
  packageName,
  signal,
  clock = systemClock,
}: Place): Promise<Result<ViewTree>> {
  const ends = clock.now() + SETTLE_MS;
  let last = '';
  for (;;) {
    const tree = await device.tree(packageName, { includeGone: false }, signal);
    if (!tree.ok && (tree.fault.code !== 'UI_NOT_IDLE' || clock.now() >= ends)) return tree;
    if (tree.ok) {
      const now = fingerprint(tree.value);
      if (now === last || clock.now() >= ends) return tree;
      last = now;
    }
    await clock.sleep(POLL_MS, signal);
  }
}

function hasMoved(before: ViewTree, after: ViewTree, { inside }: Scroll): boolean {
  const [old, now] = [below(before, inside), below(after, inside)];
  return JSON.stringify(old) !== JSON.stringify(now);
}

function below(tree: ViewTree, ref: string): unknown {
  const describe = ({ text, boundsPx, children }: ViewNode): unknown => [
    text,
    boundsPx,
    children.map(describe),
  ];
  const find = (node: ViewNode): ViewNode | undefined =>
    node.ref === ref ? node : node.children.map(find).find((one) => one !== undefined);
  const found = tree.windows.map(({ root }) => find(root)).find((one) => one !== undefined);
  return found?.children.map(describe);
}
