import type { z } from 'zod';
import type { Match, NearMiss, ViewNode } from '../device/tree.ts';
import { fail, type Result } from '../shared/outcome.ts';
import type { match } from './shapes.ts';

/** A match as the contract shows it: bounds in dp and px, the centre in px. */
export function matchRow({ node, window, boundsDp, center }: Match): z.output<typeof match> {
  return {
    ref: node.ref,
    resourceId: node.resourceId,
    text: node.text,
    contentDesc: node.contentDesc,
    className: node.className,
    ...(node.testTag === null ? {} : { testTag: node.testTag }),
    bounds: [...boundsDp],
    boundsPx: [...node.boundsPx],
    center: [...center],
    visible: node.visible,
    enabled: node.enabled,
    clickable: node.clickable,
    window: { type: window.type, title: window.title },
  };
}

/** `ELEMENT_NOT_FOUND` with the nearest misses and why they are not it. */
export function notFound(target: object, nearMisses: readonly NearMiss[]): Result<never> {
  const [nearest] = nearMisses;
  const isRef = 'ref' in target && target.ref !== undefined;
  const none = isRef
    ? ' The view of that ref is gone, or its process is; layout-dump and view-locate give the refs of now.'
    : ' Nothing on the screen is like it; layout-dump shows what there is.';
  const hint = nearest ? ` The nearest is ${describeNode(nearest.node)}: ${nearest.why}.` : none;
  return fail('ELEMENT_NOT_FOUND', `No element matches ${JSON.stringify(target)}.${hint}`, {
    data: {
      ...(isRef ? { staleRef: true } : {}),
      nearMisses: nearMisses.map(({ node, why }) => ({
        ref: node.ref,
        className: node.className,
        resourceId: node.resourceId,
        text: node.text,
        why,
      })),
    },
  });
}

export function describeNode(node: ViewNode): string {
  const name = node.className.split('.').at(-1) ?? node.className;
  const id = node.resourceId === null ? '' : ` #${node.resourceId.split('/').at(-1)}`;
  const text = node.text ?? node.contentDesc;
  return `${node.ref} ${name}${id}${text === null ? '' : ` "${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`}`;
}
