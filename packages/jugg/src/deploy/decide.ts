import { compareStates, isSame, type StateDifference, type StateDigest } from './digest.ts';
import type { DeployType } from './types.ts';

/** Redefinition of classes in a running app came with Android 8. */
const REDEFINE_API = 26;

export interface Situation {
  /** What the installed APK holds; `null` when the app is not installed, or not known to be ours. */
  readonly installed: StateDigest | null;
  /** Why `installed` is `null`, for people. */
  readonly unknownBecause: string;
  /** What the running process shows: the APK, or newer code put into it; `null` when it does not run. */
  readonly running: StateDigest | null;
  readonly next: StateDigest;
  readonly device: {
    readonly api: number;
    /** An agent can be loaded into apps of this device. */
    readonly canRedefine: boolean;
  };
  readonly app: { readonly debuggable: boolean };
  readonly options: { readonly alwaysRestartApp: boolean };
}

export interface Decision {
  readonly deployType: DeployType;
  /** Why this way and not a lighter one. */
  readonly reasons: readonly string[];
  /** Binary names of the classes to redefine; only for HOT_RELOAD. */
  readonly classes: readonly string[];
}

const SHOWN_NAMES = 3;

function some(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  return names.length > SHOWN_NAMES ? `${shown} and ${names.length - SHOWN_NAMES} more` : shown;
}

/** What of the difference a running process cannot take. */
function beyondBodies({ parts, added, removed, reshaped }: StateDifference): string[] {
  const reasons: string[] = [];
  if (parts.length > 0) reasons.push(`Changed beside the classes: ${parts.join(', ')}.`);
  if (reshaped.length > 0) reasons.push(`Members or super types changed: ${some(reshaped)}.`);
  if (added.length > 0) reasons.push(`New classes: ${some(added)}.`);
  if (removed.length > 0) reasons.push(`Classes are gone: ${some(removed)}.`);
  return reasons;
}

function againstRedefinition({ device, app, options }: Situation): string[] {
  const reasons: string[] = [];
  if (options.alwaysRestartApp) reasons.push('A restart was asked for.');
  if (device.api < REDEFINE_API)
    reasons.push(`Android before 8 (this is API ${device.api}) cannot redefine classes.`);
  else if (!device.canRedefine) reasons.push('Classes cannot be redefined on this kind of device yet.');
  if (!app.debuggable) reasons.push('The app is not debuggable.');
  return reasons;
}

/**
 * How to put `next` onto the device, as lightly as it is sure to work. Pure.
 *
 * The same as what runs → NONE. Method bodies only, in a running debuggable app → HOT_RELOAD. Anything else, over an
 * APK of ours → EMBEDDED (a new APK over it, and a restart); over anything unknown → INSTALL.
 */
export function decide(situation: Situation): Decision {
  const { installed, running, next, options } = situation;
  if (!installed) return { deployType: 'INSTALL', reasons: [situation.unknownBecause], classes: [] };
  const overApk = compareStates(installed, next);
  // A process that does not run, or that shall be restarted, shows what is in the APK.
  if (!running || options.alwaysRestartApp) {
    if (isSame(overApk)) return { deployType: 'NONE', reasons: [], classes: [] };
    const why = running ? againstRedefinition(situation) : ['The app does not run.'];
    return { deployType: 'EMBEDDED', reasons: [...beyondBodies(overApk), ...why], classes: [] };
  }
  const overRunning = compareStates(running, next);
  if (isSame(overRunning)) return { deployType: 'NONE', reasons: [], classes: [] };
  const reasons = [...beyondBodies(overRunning), ...againstRedefinition(situation)];
  return reasons.length > 0
    ? { deployType: 'EMBEDDED', reasons, classes: [] }
    : { deployType: 'HOT_RELOAD', reasons: ['Only method bodies changed.'], classes: overRunning.rewritten };
}
