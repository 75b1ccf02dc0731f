/** `[left, top, right, bottom]`; px on the screen in its current rotation unless named otherwise. */
export type Bounds = readonly [left: number, top: number, right: number, bottom: number];

/** Size in px in the current rotation; `density` in dots per inch (160 = 1 px a dp). */
export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly rotation: 0 | 1 | 2 | 3;
  readonly density: number;
}

export type WindowType = 'activity' | 'dialog' | 'popup' | 'toast' | 'system';

/** One node of a view tree, whatever it was read with. Texts that a source cannot tell are `null`. */
export interface ViewNode {
  /** `e<n>`: valid on this device until the view or its process is gone. */
  readonly ref: string;
  /** `virtual` nodes are drawn by the view above them and known by accessibility only. */
  readonly kind: 'view' | 'virtual' | 'semantics';
  /** Full class name; of a virtual node the class it says it is. */
  readonly className: string;
  /** Full: `pkg:id/name`. */
  readonly resourceId: string | null;
  readonly text: string | null;
  readonly contentDesc: string | null;
  readonly hint: string | null;
  readonly testTag: string | null;
  readonly boundsPx: Bounds;
  /** Shown, on the screen and not empty: what a person can see, other views in front of it left aside. */
  readonly visible: boolean;
  readonly visibility: 'visible' | 'invisible' | 'gone';
  readonly enabled: boolean;
  readonly clickable: boolean;
  readonly longClickable: boolean;
  readonly checkable: boolean;
  readonly checked: boolean;
  readonly selected: boolean;
  readonly focusable: boolean;
  readonly focused: boolean;
  readonly editable: boolean;
  readonly scrollable: boolean;
  readonly password: boolean;
  /** 0..1, the view's own. */
  readonly alpha: number;
  readonly children: readonly ViewNode[];
}

export interface ViewWindow {
  readonly type: WindowType;
  readonly title: string;
  readonly focused: boolean;
  readonly boundsPx: Bounds;
  readonly root: ViewNode;
}

/** All windows of an app, the topmost last. */
export interface ViewTree {
  readonly source: 'inspector' | 'uiautomator' | 'dumpsys';
  /** Why it is not the inspector's tree. */
  readonly fallbackReason: string | null;
  readonly packageName: string;
  readonly screen: Screen;
  readonly windows: readonly ViewWindow[];
  /** Number of nodes in `windows`. */
  readonly nodes: number;
  /** True when a limit of the reader cut the tree: `nodes` is then less than what the app holds. */
  readonly truncated: boolean;
  /** How long the app's main thread was busy with it, ms; `null` when that is not known. */
  readonly mainThreadMs: number | null;
  /** What a caller should know: empty web views, a system dialog in front. */
  readonly notes: readonly string[];
}

/** Contract §1: at least one field, all must hold, exact unless the name says otherwise; short or full ids and names. */
export interface Target {
  readonly text?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly contentDesc?: string | undefined;
  readonly className?: string | undefined;
  readonly testTag?: string | undefined;
  readonly ref?: string | undefined;
  readonly textContains?: string | undefined;
  /** A regular expression that must match somewhere in the text. */
  readonly textMatches?: string | undefined;
}

export interface Match {
  readonly node: ViewNode;
  readonly window: ViewWindow;
  /** dp, rounded to a hundredth. */
  readonly boundsDp: Bounds;
  /** px. */
  readonly center: readonly [x: number, y: number];
}

export interface NearMiss {
  readonly node: ViewNode;
  readonly window: ViewWindow;
  /** For people: "text is 'Count: 1', not 'Count: 0'". */
  readonly why: string;
}

export interface Located {
  /** In document order, the focused window's first; never cut. */
  readonly matches: readonly Match[];
  /** At most 5, the nearest first; only when `matches` is empty. */
  readonly nearMisses: readonly NearMiss[];
}
