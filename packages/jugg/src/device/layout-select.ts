import { fail, ok, type Result } from '../shared/outcome.ts';
import { idMatches } from './target-match.ts';
import type { ViewNode, ViewTree } from './tree.ts';
import { walk } from './tree-walk.ts';

function size(node: ViewNode): { nodes: number; clickable: number } {
  let nodes = 1;
  let clickable = node.clickable ? 1 : 0;
  for (const child of node.children) {
    const below = size(child);
    nodes += below.nodes;
    clickable += below.clickable;
  }
  return { nodes, clickable };
}

export function countNodes(tree: ViewTree): { readonly nodes: number; readonly clickable: number } {
  const counts = tree.windows.map((window) => size(window.root));
  return {
    nodes: counts.reduce((sum, one) => sum + one.nodes, 0),
    clickable: counts.reduce((sum, one) => sum + one.clickable, 0),
  };
}

/**
 * The windows a person would call the screen: those from the topmost activity on (dialogs and popups above it), or all
 * of them; only the part below `rootId` where that is given (`ELEMENT_NOT_FOUND` when there is no such view).
 */
export function selectWindows(
  tree: ViewTree,
  { allWindows, rootId }: { readonly allWindows: boolean; readonly rootId: string | undefined },
): Result<ViewTree> {
  const lastActivity = tree.windows.findLastIndex(
    (window) => window.type === 'activity' && window.root.visible,
  );
  const shown = allWindows ? tree.windows : tree.windows.slice(Math.max(0, lastActivity));
  const selected = { ...tree, windows: shown };
  if (rootId === undefined) return ok({ ...selected, nodes: countNodes(selected).nodes });
  for (const { node, window } of walk(selected)) {
    if (!idMatches(node.resourceId, rootId)) continue;
    const cut = { ...tree, windows: [{ ...window, root: node }] };
    return ok({ ...cut, nodes: countNodes(cut).nodes });
  }
  const ids = [...walk(selected)]
    .map(({ node }) => node.resourceId?.split('/').at(-1))
    .filter((id) => id !== undefined);
  return fail('ELEMENT_NOT_FOUND', `rootLayout: no view has the id ${rootId}.`, {
    data: { candidates: [...new Set(ids)].slice(0, 30) },
  });
}
