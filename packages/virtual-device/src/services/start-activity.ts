import { intentLog } from '../apps/intent-request.ts';
import type { StartOutcome } from '../apps/start-outcome.ts';
import { forStart, matchingActivities, namedActivity } from '../packages/intents.ts';
import type { Resolved, ShellIntent } from '../packages/intents.ts';
import { shortComponent } from '../packages/record.ts';
import type { PackageRecord } from '../packages/record.ts';
import type { Services } from './services.ts';

/** Everything that a start from outside of an app can come to. */
export type Start =
  | { readonly kind: 'unresolved' }
  | { readonly kind: 'noSuchActivity' }
  | { readonly kind: 'notExported'; readonly uid: number }
  | {
      readonly kind: 'outcome';
      readonly outcome: StartOutcome;
      readonly target: Resolved;
      readonly intent: ShellIntent;
    };

/** A start from the shell makes a new task (`FLAG_ACTIVITY_NEW_TASK`). */
const NEW_TASK = 0x1000_0000;

/** START_* codes of AOSP `ActivityManager`, as the log prints them. */
const RESULT = {
  started: 0,
  broughtToFront: 2,
  deliveredToTop: 3,
  notFound: -92,
  unresolved: -91,
  denied: -94,
} as const;

/** Finds the activity that an intent means and starts it for `callerUid`. */
export async function startActivity(
  services: Services,
  given: ShellIntent,
  callerUid: number,
): Promise<Start> {
  const packages = services.database.all();
  const intent = { ...given, flags: given.flags | NEW_TASK };
  const target =
    intent.component === undefined
      ? matchingActivities(forStart(intent), packages)[0]
      : (namedActivity(intent.component, packages) ?? undefined);
  const log = (code: number): void => services.log.startRequested(intentLog(intent), callerUid, code);
  if (!target) {
    log(intent.component === undefined ? RESULT.unresolved : RESULT.notFound);
    return intent.component === undefined ? { kind: 'unresolved' } : { kind: 'noSuchActivity' };
  }
  const { record, component } = target;
  const { packageName } = record.manifest;
  const resolved = { ...intent, component: shortComponent(packageName, component.name) };
  if (!component.exported && callerUid !== record.uid && callerUid >= 2000) {
    log(RESULT.denied);
    return { kind: 'notExported', uid: record.uid };
  }
  grant(services, intent, record);
  // An alias is another name of a class: the class is what is started.
  const real = component.target === null ? component : namedTarget(target, component.target);
  const outcome = await services.apps.start(record, real, resolved, (state) => log(RESULT[state]));
  if (record.stopped && outcome.ok) await services.database.put({ ...record, stopped: false });
  return { kind: 'outcome', outcome, target, intent: resolved };
}

/** What comes with an intent may be used by its receiver; whether the sender may give it was asked before. */
export function grant(services: Services, { grantedUris, flags }: ShellIntent, target: PackageRecord): void {
  if (grantedUris) services.grants.give(target, grantedUris, flags, true);
}

function namedTarget({ record, component }: Resolved, name: string): Resolved['component'] {
  return record.manifest.components.find((other) => other.name === name) ?? component;
}

/** The text of the SecurityException for an activity that is not exported. */
export function denial(intent: string, callerUid: number, pid: number, targetUid: number): string {
  return `java.lang.SecurityException: Permission Denial: starting ${intent} from null (pid=${pid}, uid=${callerUid}) not exported from uid ${targetUid}`;
}
