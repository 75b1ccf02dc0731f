import type { Bounds, ViewNode, ViewTree } from './tree.ts';
import { walk, type Placed } from './tree-walk.ts';

/** A swipe inside of a view that scrolls, px. */
export interface Scroll {
  /** Ref of the view that scrolls. */
  readonly inside: string;
  readonly towards: 'down' | 'up' | 'right' | 'left';
  readonly x: number;
  readonly y: number;
  readonly endX: number;
  readonly endY: number;
  /** Whether what is looked for is pages away, so that it does no harm when the content goes on by itself. */
  readonly isFar: boolean;
}

/** Of the view's size: the edges may belong to the system's gestures, to headers and to what lies above. */
const REACH = 0.35;
/** In half swipes. */
const FAR = 6;
/** px; shorter swipes are within what Android takes for an unsteady finger (8 dp) on many screens. */
const SHORTEST_PX = 48;

/**
 * The swipe that brings a node's centre to where it can be touched; `there` when it is, `null` when nothing above it scrolls
 * that way. `tried` are scrolls, as `scrollKey` spells them, that moved nothing.
 */
export function scrollTo(tree: ViewTree, ref: string, tried: ReadonlySet<string>): Scroll | 'there' | null {
  const placed = [...walk(tree)].find(({ node }) => node.ref === ref);
  if (placed === undefined) return null;
  const [x, y] = center(placed.node.boundsPx);
  const seen = seenOf(tree, placed.ancestors);
  if (holds(seen, x, y)) return 'there';
  for (let at = placed.ancestors.length - 1; at >= 0; at--) {
    const view = placed.ancestors[at];
    if (view?.scrollable !== true) continue;
    const area = intersection(view.boundsPx, seenOf(tree, placed.ancestors.slice(0, at)));
    if (isEmpty(area) || holds(area, x, y)) continue;
    const [middleX, middleY] = center(area);
    const [left, top, right, bottom] = area;
    const ways = [
      y < top || y >= bottom ? swipe(view, area, y > middleY ? 'down' : 'up', Math.abs(y - middleY)) : null,
      x < left || x >= right
        ? swipe(view, area, x > middleX ? 'right' : 'left', Math.abs(x - middleX))
        : null,
    ];
    const found = ways.find((way) => way !== null && !tried.has(scrollKey(way)));
    if (found) return found;
  }
  return null;
}

/**
 * The views that scroll, the largest first: where something may be that no view stands for yet. Those that hold views for all
 * of their content come last; what they hold may have a list in it.
 */
export function scrollers(tree: ViewTree): readonly Placed[] {
  const size = ({ node, ancestors }: Placed): number => {
    const [left, top, right, bottom] = intersection(node.boundsPx, seenOf(tree, ancestors));
    return Math.max(0, right - left) * Math.max(0, bottom - top);
  };
  return [...walk(tree)]
    .filter((placed) => placed.window.focused && placed.node.scrollable && size(placed) > 0)
    .sort((a, b) => Number(isPlain(a)) - Number(isPlain(b)) || size(b) - size(a));
}

function isPlain({ node }: Placed): boolean {
  return node.className.endsWith('ScrollView');
}

const VERTICAL = ['down', 'up'] as const;
const HORIZONTAL = ['right', 'left'] as const;

/** Where a view may scroll to, by its class; subclasses with names of their own are tried all ways. */
export function waysOf({ className }: ViewNode): readonly Scroll['towards'][] {
  const name = className.slice(className.lastIndexOf('.') + 1);
  if (name === 'HorizontalScrollView') return HORIZONTAL;
  if (/^(Nested)?ScrollView$|^(Expandable)?ListView$|^GridView$/.test(name)) return VERTICAL;
  return [...VERTICAL, ...HORIZONTAL];
}

/** A swipe by most of what can be seen of a view. */
export function page(tree: ViewTree, { node, ancestors }: Placed, towards: Scroll['towards']): Scroll {
  const area = intersection(node.boundsPx, seenOf(tree, ancestors));
  return { ...swipe(node, area, towards, Number.POSITIVE_INFINITY), isFar: false };
}

export function scrollKey({ inside, towards }: Scroll): string {
  return `${inside} ${towards}`;
}

function swipe({ ref }: ViewNode, area: Bounds, towards: Scroll['towards'], distance: number): Scroll {
  const [x, y] = center(area);
  const [left, top, right, bottom] = area;
  const isVertical = towards === 'down' || towards === 'up';
  const reach = (isVertical ? bottom - top : right - left) * REACH;
  // The finger goes against the way of the content, half of it on either side of the middle.
  const half = Math.round(Math.min(reach, Math.max(distance, SHORTEST_PX) / 2));
  const isFar = distance > FAR * reach;
  const sign = towards === 'down' || towards === 'right' ? half : -half;
  return isVertical
    ? { inside: ref, towards, x, y: y + sign, endX: x, endY: y - sign, isFar }
    : { inside: ref, towards, x: x + sign, y, endX: x - sign, endY: y, isFar };
}

/** What can be seen through all of the ancestors. */
function seenOf({ screen }: ViewTree, ancestors: readonly ViewNode[]): Bounds {
  const whole: Bounds = [0, 0, screen.width, screen.height];
  return ancestors.reduce((seen, { boundsPx }) => intersection(seen, boundsPx), whole);
}

function intersection(a: Bounds, b: Bounds): Bounds {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

function isEmpty([left, top, right, bottom]: Bounds): boolean {
  return right <= left || bottom <= top;
}

function holds([left, top, right, bottom]: Bounds, x: number, y: number): boolean {
  return x >= left && x < right && y >= top && y < bottom;
}

function center([left, top, right, bottom]: Bounds): readonly [x: number, y: number] {
  return [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
}
