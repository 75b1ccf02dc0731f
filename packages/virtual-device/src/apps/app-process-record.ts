import type { AppProcessPort, SavedTask } from '../app-process/types.ts';
import type { ServiceStarts } from '../app-process/intent-schema.ts';
import type { ShellIntent } from '../packages/intents.ts';
import type { PackageRecord } from '../packages/record.ts';
import type { Orientation } from '../system/orientation.ts';
import type { OverLock } from './over-lock.ts';
import type { NotStarted } from './start-outcome.ts';

/** A running process of an app. */
export interface RunningApp {
  readonly port: AppProcessPort;
  readonly pid: number;
  readonly uid: number;
  readonly processName: string;
  readonly packageName: string;
  readonly record: PackageRecord;
  /** ms since the epoch */
  readonly startedMs: number;
  /** The first intent for each component started in it: tells whether a start means the task that is there. */
  readonly rootIntents: Map<string, ShellIntent>;
  /** What its task is while it is in the background: enough to bring it back in another process. */
  saved: SavedTask | null;
  /** What its top activity wants of a locked screen. */
  overLock: OverLock;
  /** How its top activity wants the screen to be turned. */
  orientation: Orientation;
  /** Its task was told to come to the front, and not to go back since. */
  shown: boolean;
  /** Resolves when its application is made, with what went wrong when it could not be. */
  readonly bound: Promise<NotStarted | null>;
  /** Its started services, by component. */
  readonly services: Map<string, StartedService>;
  /** Why it is being ended, when we end it; else it ended by itself. */
  killReason: string | null;
  crashed: boolean;
}

/** A started service that comes back when its process ends. */
export interface StartedService extends ServiceStarts {
  /** When its oldest start that is to be told again was delivered; ms of `performance.now()`. */
  readonly deliveredMs: number | null;
}

/** A task whose process is gone. */
export interface LeftTask {
  readonly packageName: string;
  readonly task: SavedTask;
  readonly rootIntents: ReadonlyMap<string, ShellIntent>;
}

/** What Android keeps of a process that ends: the task of one in the background that did not crash and was not stopped. */
export function leftTask(app: RunningApp): LeftTask | null {
  const kept = app.killReason === null || /^(kill background|signal )/.test(app.killReason);
  if (!kept || app.crashed || app.saved === null) return null;
  return { packageName: app.packageName, task: app.saved, rootIntents: new Map(app.rootIntents) };
}

/** The part of two intents that Android compares to find a task again (`Intent.filterEquals`). */
export function sameIntent(a: ShellIntent, b: ShellIntent): boolean {
  const key = (intent: ShellIntent): string =>
    JSON.stringify([
      intent.action ?? null,
      intent.data ?? null,
      intent.type ?? null,
      intent.packageName ?? null,
      intent.categories.toSorted(),
    ]);
  return key(a) === key(b);
}
