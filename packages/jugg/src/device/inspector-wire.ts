import { z } from 'zod';
import type { Bounds, ViewNode, ViewTree, ViewWindow, WindowType } from './tree.ts';

/**
 * The inspector's protocol (`jvm/inspector`): frames of an unsigned 32-bit length (big endian, bytes) and UTF-8 JSON.
 * Request `{id, method, params}`; answer `{id, result}` or `{id, error: {code, message}}`. The first request of a
 * connection is `hello {nonce}`.
 */
export const answerSchema = z.union([
  z.object({ id: z.number(), result: z.unknown() }),
  z.object({ id: z.number(), error: z.object({ code: z.string(), message: z.string() }) }),
]);

export const helloSchema = z.object({
  version: z.string(),
  pid: z.number(),
  api: z.number(),
  package: z.string(),
  process: z.string(),
});

export const pingSchema = z.object({ pid: z.number() });
export const touchSchema = z.object({ handled: z.boolean() });
export const redefineSchema = z.object({ classes: z.number(), micros: z.number() });
export const recreateSchema = z.object({ activities: z.number() });

const boundsSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);

interface WireNode {
  readonly ref: number;
  readonly kind?: 'virtual' | undefined;
  readonly class: string;
  readonly px: Bounds;
  readonly flags: readonly string[];
  readonly id?: string | undefined;
  readonly text?: string | undefined;
  readonly desc?: string | undefined;
  readonly hint?: string | undefined;
  readonly visibility?: 'gone' | 'invisible' | undefined;
  readonly alpha?: number | undefined;
  readonly error?: string | undefined;
  readonly children?: readonly WireNode[] | undefined;
}

const nodeSchema: z.ZodType<WireNode> = z.object({
  ref: z.number(),
  kind: z.literal('virtual').optional(),
  class: z.string(),
  px: boundsSchema,
  flags: z.array(z.string()),
  id: z.string().optional(),
  text: z.string().optional(),
  desc: z.string().optional(),
  hint: z.string().optional(),
  visibility: z.enum(['gone', 'invisible']).optional(),
  alpha: z.number().optional(),
  error: z.string().optional(),
  get children() {
    return z.array(nodeSchema).optional();
  },
});

export const treeSchema = z.object({
  /** Missing when the process has no window. */
  screen: z
    .object({
      width: z.number(),
      height: z.number(),
      rotation: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
      density: z.number(),
    })
    .optional(),
  windows: z.array(
    z.object({
      type: z.enum(['activity', 'dialog', 'popup', 'toast', 'system']),
      title: z.string(),
      focused: z.boolean(),
      px: boundsSchema,
      root: nodeSchema,
    }),
  ),
  nodes: z.number(),
  truncated: z.boolean(),
  /** Time that the main thread spent on it. */
  micros: z.number(),
});

function toNode(wire: WireNode): ViewNode {
  const flags = new Set(wire.flags);
  return {
    ref: `e${wire.ref}`,
    kind: wire.kind ?? 'view',
    className: wire.class,
    resourceId: wire.id ?? null,
    text: wire.text ?? null,
    contentDesc: wire.desc ?? null,
    hint: wire.hint ?? null,
    testTag: null,
    boundsPx: wire.px,
    visible: flags.has('visible'),
    visibility: wire.visibility ?? 'visible',
    enabled: flags.has('enabled'),
    clickable: flags.has('clickable'),
    longClickable: flags.has('longClickable'),
    checkable: flags.has('checkable'),
    checked: flags.has('checked'),
    selected: flags.has('selected'),
    focusable: flags.has('focusable'),
    focused: flags.has('focused'),
    editable: flags.has('editable'),
    scrollable: flags.has('scrollable'),
    password: flags.has('password'),
    alpha: wire.alpha ?? 1,
    children: (wire.children ?? []).map(toNode),
  };
}

/** The highest number of a ref in the answer. */
export function highestRef({ windows }: z.infer<typeof treeSchema>): number {
  const of = (node: WireNode): number => Math.max(node.ref, ...(node.children ?? []).map(of));
  return Math.max(0, ...windows.map((window) => of(window.root)));
}

function errors(node: WireNode): string[] {
  const own =
    node.error === undefined ? [] : [`${node.class} (e${node.ref}) threw: ${node.error.slice(0, 200)}`];
  return [...own, ...(node.children ?? []).flatMap(errors)];
}

/** The tree of an answer; `null` when the process has no window, so that there is nothing to see. */
export function toTree(wire: z.infer<typeof treeSchema>, packageName: string): ViewTree | null {
  if (!wire.screen) return null;
  const windows = wire.windows.map((window): ViewWindow => {
    const type: WindowType = window.type;
    return {
      type,
      title: window.title,
      focused: window.focused,
      boundsPx: window.px,
      root: toNode(window.root),
    };
  });
  return {
    source: 'inspector',
    fallbackReason: null,
    packageName,
    screen: wire.screen,
    windows,
    nodes: wire.nodes,
    truncated: wire.truncated,
    mainThreadMs: wire.micros / 1000,
    notes: wire.windows.flatMap((window) => errors(window.root)).slice(0, 10),
  };
}
