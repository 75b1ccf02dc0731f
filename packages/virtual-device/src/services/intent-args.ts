import type { ShellIntent } from '../packages/intents.ts';
import { extraKind, readExtra } from './intent-extras.ts';

/** Arguments of `am` and `pm` that make an intent (AOSP `Intent.parseCommandArgs`). */
export type ParsedIntent =
  | { readonly ok: true; readonly intent: ShellIntent; readonly options: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly message: string };

const FLAGS: Readonly<Record<string, number>> = {
  '--grant-read-uri-permission': 0x1,
  '--grant-write-uri-permission': 0x2,
  '--grant-persistable-uri-permission': 0x40,
  '--grant-prefix-uri-permission': 0x80,
  '--exclude-stopped-packages': 0x10,
  '--include-stopped-packages': 0x20,
  '--debug-log-resolution': 0x8,
  '--activity-brought-to-front': 0x0040_0000,
  '--activity-clear-top': 0x0400_0000,
  '--activity-clear-when-task-reset': 0x0008_0000,
  '--activity-exclude-from-recents': 0x0080_0000,
  '--activity-launched-from-history': 0x0010_0000,
  '--activity-multiple-task': 0x0800_0000,
  '--activity-no-animation': 0x0001_0000,
  '--activity-no-history': 0x4000_0000,
  '--activity-no-user-action': 0x0004_0000,
  '--activity-previous-is-top': 0x0100_0000,
  '--activity-reorder-to-front': 0x0002_0000,
  '--activity-reset-task-if-needed': 0x0020_0000,
  '--activity-single-top': 0x2000_0000,
  '--activity-clear-task': 0x0000_8000,
  '--activity-task-on-home': 0x0000_4000,
  '--activity-match-external': 0x800,
  '--receiver-no-abort': 0x0800_0000,
  '--receiver-include-background': 0x0100_0000,
  '--receiver-registered-only': 0x4000_0000,
  '--receiver-replace-pending': 0x2000_0000,
  '--receiver-foreground': 0x1000_0000,
};

/**
 * `own` names the options of the command itself: true for one with a value. A last word without a dash is a
 * component, a URI or a package; a package alone means its launcher entry.
 */
export function parseIntentArgs(
  args: readonly string[],
  own: Readonly<Record<string, boolean>> = {},
): ParsedIntent {
  const intent: {
    component?: string;
    packageName?: string;
    action?: string;
    data?: string;
    type?: string;
    categories: string[];
    flags: number;
    extras: Record<string, ShellIntent['extras'][string]>;
  } = { categories: [], flags: 0, extras: {} };
  const options = new Map<string, string>();
  let at = 0;
  const next = (): string | undefined => args[at++];
  let problem: string | null = null;
  const needed = (option: string): string => {
    const value = next();
    if (value === undefined) problem ??= `Argument expected after "${option}"`;
    return value ?? '';
  };
  for (let arg = next(); arg !== undefined && problem === null; arg = next()) {
    const kind = extraKind(arg);
    const flag = FLAGS[arg];
    if (own[arg] !== undefined) options.set(arg, own[arg] ? needed(arg) : '');
    else if (kind !== null) {
      const name = needed(arg);
      const extra = readExtra(kind, needed(arg));
      if (typeof extra === 'string') problem ??= extra;
      else intent.extras[name] = extra;
    } else if (flag !== undefined) intent.flags |= flag;
    else if (arg === '--esn') intent.extras[needed(arg)] = { type: 'null', value: '' };
    else if (arg === '-a') intent.action = needed(arg);
    else if (arg === '-d') intent.data = needed(arg);
    else if (arg === '-t') intent.type = needed(arg);
    else if (arg === '-c') intent.categories.push(needed(arg));
    else if (arg === '-p') intent.packageName = needed(arg);
    else if (arg === '-f') intent.flags |= Number(needed(arg)) | 0;
    else if (arg === '-i') needed(arg);
    else if (arg === '-n') {
      intent.component = needed(arg);
      if (!intent.component.includes('/')) problem ??= `Bad component name: ${intent.component}`;
    } else if (arg.startsWith('-')) problem ??= `Unknown option: ${arg}`;
    else if (arg.includes(':')) intent.data = arg;
    else if (arg.includes('/')) intent.component = arg;
    else intent.packageName = arg;
  }
  if (problem !== null) return { ok: false, message: problem };
  const bare = intent.action === undefined && intent.component === undefined && intent.data === undefined;
  if (bare && intent.packageName !== undefined) {
    intent.action = 'android.intent.action.MAIN';
    if (intent.categories.length === 0) intent.categories.push('android.intent.category.LAUNCHER');
  }
  if (bare && intent.packageName === undefined) return { ok: false, message: 'No intent supplied' };
  return { ok: true, intent, options };
}
