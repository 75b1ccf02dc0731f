import type { Bounds, ViewNode, ViewTree, ViewWindow } from '../../src/device/tree.ts';

let last = 0;

/** A visible, enabled view; what a test is about is given. */
export function view(given: Partial<ViewNode> = {}): ViewNode {
  last += 1;
  return {
    ref: `e${last}`,
    kind: 'view',
    className: 'android.view.View',
    resourceId: null,
    text: null,
    contentDesc: null,
    hint: null,
    testTag: null,
    boundsPx: [0, 0, 100, 50],
    visible: true,
    visibility: 'visible',
    enabled: true,
    clickable: false,
    longClickable: false,
    checkable: false,
    checked: false,
    selected: false,
    focusable: false,
    focused: false,
    editable: false,
    scrollable: false,
    password: false,
    alpha: 1,
    children: [],
    ...given,
  };
}

export function text(value: string, given: Partial<ViewNode> = {}): ViewNode {
  return view({ className: 'android.widget.TextView', text: value, ...given });
}

export function group(children: readonly ViewNode[], given: Partial<ViewNode> = {}): ViewNode {
  return view({ className: 'android.widget.LinearLayout', children, boundsPx: SCREEN, ...given });
}

export const SCREEN: Bounds = [0, 0, 1080, 2400];

export function window(root: ViewNode, given: Partial<ViewWindow> = {}): ViewWindow {
  return { type: 'activity', title: 'a.b/a.b.Main', focused: true, boundsPx: SCREEN, root, ...given };
}

/** Density 480: 3 px a dp. */
export function tree(...windows: readonly ViewWindow[]): ViewTree {
  return {
    source: 'inspector',
    fallbackReason: null,
    packageName: 'a.b',
    screen: { width: 1080, height: 2400, rotation: 0, density: 480 },
    windows,
    nodes: 1,
    truncated: false,
    mainThreadMs: null,
    notes: [],
  };
}
