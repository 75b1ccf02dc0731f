import { parseComponent } from './component.ts';

export interface FocusedWindow {
  /** `none` between two activities: a state to wait through. */
  readonly kind: 'app' | 'none' | 'crash' | 'anr' | 'system';
  readonly title: string | null;
  readonly packageName: string | null;
  readonly component: string | null;
  readonly user: number | null;
}

const NONE: FocusedWindow = { kind: 'none', title: null, packageName: null, component: null, user: null };

/**
 * Reads `mCurrentFocus` of `dumpsys window` (whole, `windows` or `displays`). With several displays every one has such
 * a line; the first that names a window counts, as only the focused display has one in practice.
 */
export function parseWindowFocus(output: string): FocusedWindow {
  const lines = [...output.matchAll(/^\s*mCurrentFocus=(.*)$/gm)].map((found) => found[1]?.trim() ?? '');
  const named = lines.map((line) => /^Window\{\S+ (?:u(\d+) )?(.*?)\}?$/.exec(line)).find((found) => found);
  if (!named) return NONE;
  const user = named[1] === undefined ? null : Number(named[1]);
  const title = (named[2] ?? '').replace(/ paused=\S+$/, '');
  // com.android.server.am.AppErrorDialog and AppNotRespondingDialog set these titles.
  const dialog = /^Application (Error|Not Responding): (.+)$/.exec(title);
  if (dialog)
    return {
      kind: dialog[1] === 'Error' ? 'crash' : 'anr',
      title,
      packageName: dialog[2] ?? null,
      component: null,
      user,
    };
  const component = parseComponent(title);
  if (!component) return { kind: 'system', title, packageName: null, component: null, user };
  return { kind: 'app', title, packageName: component.packageName, component: title, user };
}
