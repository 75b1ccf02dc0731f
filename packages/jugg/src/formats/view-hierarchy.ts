/** A view as `View.toString()` tells it; texts are not in there. */
export interface DumpedView {
  /** Identity hash: the same as long as the view lives. */
  readonly hash: string;
  readonly className: string;
  readonly visibility: 'visible' | 'invisible' | 'gone';
  readonly focusable: boolean;
  readonly enabled: boolean;
  readonly clickable: boolean;
  readonly longClickable: boolean;
  readonly focused: boolean;
  readonly selected: boolean;
  /** Relative to the parent, without its scrolling, px. */
  readonly bounds: readonly [left: number, top: number, right: number, bottom: number];
  /** `app:id/name` with `app` for the app's own package. */
  readonly resourceId: string | null;
  readonly children: DumpedView[];
}

// android.view.View.toString: two groups of letters, the bounds, and the id where there is one.
const VIEW =
  /^(?<indent>\s*)(?<class>[\w.$]+)\{(?<hash>[0-9a-f]+) (?<flags>[VIG?]\S{7,9}) (?<state>\S{8,9}) (?<l>-?\d+),(?<t>-?\d+)-(?<r>-?\d+),(?<b>-?\d+)(?: #\w+(?: (?<id>[\w.]+:id\/[\w.]+))?)?/;
/** The root has a form of its own, without bounds: `DecorView@b0d2f1[MainActivity]`. */
const ROOT = /^(?<indent>\s*)(?<class>[\w.$]*DecorView)@(?<hash>[0-9a-f]+)\[/;

type Groups = Readonly<Record<string, string | undefined>>;

function view(groups: Groups): DumpedView {
  const flags = groups['flags'] ?? 'V.E.....';
  const state = groups['state'] ?? '........';
  const edge = (name: string): number => Number(groups[name] ?? 0);
  const shown = flags[0];
  return {
    hash: groups['hash'] ?? '',
    className: groups['class'] ?? '',
    visibility: shown === 'G' ? 'gone' : shown === 'I' ? 'invisible' : 'visible',
    focusable: flags[1] === 'F',
    enabled: flags[2] === 'E',
    clickable: flags[6] === 'C',
    longClickable: flags[7] === 'L',
    focused: state[1] === 'F',
    selected: state[2] === 'S',
    bounds: [edge('l'), edge('t'), edge('r'), edge('b')],
    resourceId: groups['id'] ?? null,
    children: [],
  };
}

/**
 * The view tree of an app in `dumpsys activity top`: that of its last activity that has one, which is the one in front
 * (tasks stand from bottom to top). `null` when the app has none there.
 */
export function parseViewHierarchy(output: string, packageName: string): DumpedView | null {
  let own = false;
  let inside = false;
  let root: DumpedView | null = null;
  let open: { indent: number; node: DumpedView }[] = [];
  for (const line of output.split(/\r?\n/)) {
    const activity = /^\s*ACTIVITY ([\w.]+)\//.exec(line);
    if (activity) {
      own = activity[1] === packageName;
      inside = false;
      continue;
    }
    if (/^\s*View Hierarchy:/.test(line)) {
      inside = own;
      open = [];
      continue;
    }
    const groups = inside ? (VIEW.exec(line) ?? ROOT.exec(line))?.groups : undefined;
    if (!groups) {
      // A line of another form below the root may be a view of some maker's system; one at its height is the end.
      const depth = line.search(/\S/);
      if (inside && open[0] && depth <= open[0].indent) inside = false;
      continue;
    }
    const indent = groups['indent']?.length ?? 0;
    const node = view(groups);
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const parent = open.at(-1);
    if (parent) parent.node.children.push(node);
    else root = node;
    open.push({ indent, node });
  }
  return root;
}
