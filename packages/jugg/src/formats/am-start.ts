import { parseComponent } from './component.ts';

export type StartState = 'started' | 'broughtToFront' | 'deliveredToTop';

/** What `am start` said; whether the activity is on top is for the activity stack to tell. */
export type StartOutput =
  | {
      readonly ok: true;
      readonly state: StartState;
      readonly warning: string | null;
      /** The activity that really came up, where `-W` was given. */
      readonly activity: string | null;
      readonly totalTimeMs: number | null;
      readonly launchState: string | null;
    }
  | { readonly ok: false; readonly reason: StartFailure; readonly message: string };

export type StartFailure =
  | 'unresolved'
  | 'noSuchActivity'
  | 'notExported'
  | 'denied'
  | 'userStopped'
  | 'unknown';

const FAILURES: readonly { readonly reason: StartFailure; readonly form: RegExp }[] = [
  {
    reason: 'unresolved',
    form: /^Error: Activity not started, unable to resolve .*|^Error: Intent does not match any activities.*|^Error: Unable to resolve .*/m,
  },
  { reason: 'noSuchActivity', form: /^Error: Activity class \{.*\} does not exist\.?|^Error type 3\b.*/m },
  {
    reason: 'notExported',
    form: /SecurityException: Permission Denial: starting .* not exported from uid.*/,
  },
  { reason: 'userStopped', form: /^Error: .*\buser \d+\b.*(?:not running|stopped|locked).*/im },
  {
    reason: 'denied',
    form: /^Error: Activity not started, (?:you (?:do not|don't) have permission|voice control|.*not allowed).*|SecurityException: .*/m,
  },
  {
    reason: 'unknown',
    form: /^Error(?: type \d+)?: .*|^Exception occurred while executing.*|^[\w.]+Exception(?:: .*)?$|^Error type \d+.*|^Security exception: .*/m,
  },
];

/**
 * Reads `am start [-W]` of all releases. The exit code proves nothing, and "not started" in a warning is a success.
 * Source of the sentences: ActivityManagerShellCommand.runStartActivity.
 */
export function parseStart(output: string): StartOutput {
  for (const { reason, form } of FAILURES) {
    const found = form.exec(output);
    if (!found) continue;
    const better = reason === 'noSuchActivity' ? /^Error: Activity class.*/m.exec(output) : null;
    return { ok: false, reason, message: (better?.[0] ?? found[0]).trim() };
  }
  const warning = /^Warning: (.*)$/m.exec(output)?.[1]?.trim() ?? null;
  const field = (name: string): string | null =>
    new RegExp(`^${name}: (.*)$`, 'm').exec(output)?.[1]?.trim() ?? null;
  const total = field('TotalTime');
  if (field('Status') === 'timeout' || /^Status: null/m.test(output))
    return { ok: false, reason: 'unknown', message: 'The start timed out on the device.' };
  return {
    ok: true,
    state: /delivered to currently running top-most/.test(warning ?? '')
      ? 'deliveredToTop'
      : /brought to the front/.test(warning ?? '')
        ? 'broughtToFront'
        : 'started',
    warning,
    activity: field('Activity'),
    totalTimeMs: total === null ? null : Number(total),
    launchState: field('LaunchState'),
  };
}

/**
 * Components in the output of `cmd package resolve-activity --brief` or `query-activities --brief`; the first one is
 * the default. Empty when none was found ("No activity found").
 */
export function parseResolvedActivities(output: string): string[] {
  const found: string[] = [];
  for (const line of output.split('\n')) {
    const component = parseComponent(line.trim())?.component;
    if (component !== undefined && !found.includes(component)) found.push(component);
  }
  return found;
}
