import { ok, type Result } from '../shared/outcome.ts';
import { criteria, type Criterion } from './target-match.ts';
import type { Bounds, Located, Match, NearMiss, Target, ViewNode, ViewTree } from './tree.ts';
import { walk, type Placed } from './tree-walk.ts';

const NEAR_MISSES = 5;
/** Above this mean distance a node is not worth showing. */
const FAR = 0.75;

/** px to dp, rounded to a hundredth. */
export function toDp(bounds: Bounds, density: number): Bounds {
  const dp = (px: number): number => Math.round(((px * 160) / density) * 100) / 100;
  return [dp(bounds[0]), dp(bounds[1]), dp(bounds[2]), dp(bounds[3])];
}

/**
 * Finds the nodes that fit all fields of the target, in document order, the focused window's first. Without any, says
 * what comes nearest and why it is not it: another text, hidden, outside of the screen.
 */
export function locate(
  tree: ViewTree,
  target: Target,
  { visibleOnly }: { readonly visibleOnly: boolean },
): Result<Located> {
  const wanted = criteria(target);
  if (!wanted.ok) return wanted;
  const all = [...walk(tree)];
  const fitting = all.filter(({ node }) => wanted.value.every((criterion) => criterion.matches(node)));
  const matches = fitting
    .filter(({ node }) => !visibleOnly || node.visible)
    .map((placed): Match => toMatch(placed, tree.screen.density));
  if (matches.length > 0) return ok({ matches, nearMisses: [] });
  return ok({ matches, nearMisses: nearest(all, wanted.value, tree) });
}

function toMatch({ node, window }: Placed, density: number): Match {
  const [left, top, right, bottom] = node.boundsPx;
  return {
    node,
    window,
    boundsDp: toDp(node.boundsPx, density),
    center: [Math.round((left + right) / 2), Math.round((top + bottom) / 2)],
  };
}

function nearest(all: readonly Placed[], wanted: readonly Criterion[], tree: ViewTree): NearMiss[] {
  return all
    .map((placed) => {
      const mean = wanted.reduce((sum, one) => sum + one.distance(placed.node), 0) / wanted.length;
      return { placed, distance: mean + (placed.node.visible ? 0 : 0.01) };
    })
    .filter(({ distance }) => distance <= FAR)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAR_MISSES)
    .map(({ placed }) => ({ node: placed.node, window: placed.window, why: why(placed, wanted, tree) }));
}

function why({ node, ancestors }: Placed, wanted: readonly Criterion[], tree: ViewTree): string {
  const reasons = wanted.filter((one) => !one.matches(node)).map((one) => one.describe(node));
  if (!node.visible) reasons.push(whyHidden(node, ancestors, tree));
  return reasons.join('; ');
}

function whyHidden(node: ViewNode, ancestors: readonly ViewNode[], tree: ViewTree): string {
  const hidden = [...ancestors, node].find((one) => one.visibility !== 'visible' || one.alpha === 0);
  if (hidden) {
    const state = hidden.visibility === 'visible' ? 'transparent' : hidden.visibility;
    return hidden === node ? `it is ${state}` : `it is inside of ${hidden.ref}, which is ${state}`;
  }
  const [left, top, right, bottom] = node.boundsPx;
  if (right <= left || bottom <= top) return 'it has no size';
  const { width, height } = tree.screen;
  if (right <= 0 || bottom <= 0 || left >= width || top >= height) return 'it is outside of the screen';
  return 'it is cut off by a view above, so scroll to it';
}
