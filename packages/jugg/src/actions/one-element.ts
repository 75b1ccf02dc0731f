import { locate } from '../device/locate.ts';
import type { Match, ViewTree } from '../device/tree.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { Target } from './shapes.ts';
import { matchRow, notFound } from './view-rows.ts';

/** The one element that is meant: `ELEMENT_NOT_FOUND` with near misses, `MULTIPLE_ELEMENTS` with the candidates. */
export function oneElement(
  tree: ViewTree,
  wanted: Target,
  { visibleOnly, instead }: { readonly visibleOnly: boolean; readonly instead: string },
): Result<Match> {
  const located = locate(tree, wanted, { visibleOnly });
  if (!located.ok) return located;
  const { matches, nearMisses } = located.value;
  // One that can be seen is meant before those that are hidden.
  const visible = matches.filter(({ node }) => node.visible);
  const meant = visible.length === 1 ? visible : matches;
  const [first, ...more] = meant;
  if (!first) return notFound(wanted, nearMisses);
  if (more.length === 0) return ok(first);
  return fail(
    'MULTIPLE_ELEMENTS',
    `${meant.length} elements match; ${instead}. Use a ref, or make the target more exact.`,
    { data: { matches: meant.slice(0, 10).map(matchRow) } },
  );
}
