import type { ViewNode, ViewTree, ViewWindow } from './tree.ts';

export interface Placed {
  readonly node: ViewNode;
  readonly window: ViewWindow;
  /** From the root down to the parent. */
  readonly ancestors: readonly ViewNode[];
}

function* below(node: ViewNode, window: ViewWindow, ancestors: readonly ViewNode[]): Generator<Placed> {
  yield { node, window, ancestors };
  const path = [...ancestors, node];
  for (const child of node.children) yield* below(child, window, path);
}

/** All nodes in document order; the windows in reading order: the focused one first, then from the topmost down. */
export function* walk(tree: ViewTree): Generator<Placed> {
  const topFirst = tree.windows.toReversed();
  const windows = [...topFirst.filter((w) => w.focused), ...topFirst.filter((w) => !w.focused)];
  for (const window of windows) yield* below(window.root, window, []);
}
