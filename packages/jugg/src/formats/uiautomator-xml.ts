import { SaxesParser } from 'saxes';

/** One node of a uiautomator dump. */
export interface UiNode {
  readonly className: string;
  readonly packageName: string;
  /** `''` where the node has none, as in the file. */
  readonly resourceId: string;
  readonly text: string;
  readonly contentDesc: string;
  /** Screen px, signed: views may start left of or above the screen. */
  readonly bounds: readonly [left: number, top: number, right: number, bottom: number];
  readonly flags: ReadonlySet<UiFlag>;
  readonly children: UiNode[];
}

const FLAGS = [
  'checkable',
  'checked',
  'clickable',
  'enabled',
  'focusable',
  'focused',
  'scrollable',
  'long-clickable',
  'password',
  'selected',
] as const;
export type UiFlag = (typeof FLAGS)[number];

export interface UiHierarchy {
  readonly rotation: 0 | 1 | 2 | 3;
  /** One for each window that was dumped, in the order of the file. */
  readonly roots: readonly UiNode[];
  readonly nodeCount: number;
}

type Attributes = Readonly<Record<string, string>>;

function node(attributes: Attributes): UiNode {
  const bounds = /^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$/.exec(attributes['bounds'] ?? '');
  const edge = (index: number): number => Number(bounds?.[index] ?? 0);
  return {
    className: attributes['class'] ?? '',
    packageName: attributes['package'] ?? '',
    resourceId: attributes['resource-id'] ?? '',
    text: attributes['text'] ?? '',
    contentDesc: attributes['content-desc'] ?? '',
    bounds: [edge(1), edge(2), edge(3), edge(4)],
    flags: new Set(FLAGS.filter((flag) => attributes[flag] === 'true')),
    children: [],
  };
}

function rotation(text: string | undefined): UiHierarchy['rotation'] {
  return text === '1' ? 1 : text === '2' ? 2 : text === '3' ? 3 : 0;
}

/** Reads the hierarchy; `null` when the text is not one, with no node lost silently: half a file is none. */
export function parseUiHierarchy(xml: string): UiHierarchy | null {
  const parser = new SaxesParser();
  const roots: UiNode[] = [];
  const open: UiNode[] = [];
  let found: UiHierarchy['rotation'] | null = null;
  let nodeCount = 0;
  let broken = false;
  parser.on('error', () => {
    broken = true;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'hierarchy') found = rotation(attributes['rotation']);
    if (name !== 'node') return;
    const next = node(attributes);
    (open.at(-1)?.children ?? roots).push(next);
    open.push(next);
    nodeCount += 1;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'node') open.pop();
  });
  parser.write(xml).close();
  return broken || found === null ? null : { rotation: found, roots, nodeCount };
}
