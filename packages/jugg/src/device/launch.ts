import { parseResolvedActivities, parseStart, type StartState } from '../formats/am-start.ts';
import { resolveComponent, type Component } from '../formats/component.ts';
import type { Clock } from '../shared/clock.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { crashed, recentCrash } from './online.ts';
import type { UserContext } from './packages.ts';
import { run } from './shell.ts';
import type { ActivityEntry, ActivityStack, Device, Started, StartRequest } from './types.ts';

/** As a launcher starts it: in a task of its own, brought to the front as it was left. */
const LAUNCH_FLAGS = '0x10200000';
const LAUNCH_INTENT = ['-a', 'android.intent.action.MAIN', '-c', 'android.intent.category.LAUNCHER'];
const ON_TOP_LIMIT_MS = 10_000;
const POLL_MS = 50;
/** A crash at the start is looked for from here on, while the activity is not on top. */
const CRASH_AFTER_MS = 700;

/** The launcher activity; of several icons the first, which the device calls the default. */
export async function readLauncher(
  { connection, user }: UserContext,
  packageName: string,
  signal: AbortSignal,
): Promise<Result<string | null>> {
  const query = ['cmd', 'package', 'query-activities', '--brief', '--user', String(user), ...LAUNCH_INTENT];
  const output = await run(connection, [...query, packageName], signal);
  if (!output.ok) return output;
  const found = parseResolvedActivities(output.value.stdout);
  return ok(found.find((component) => component.startsWith(`${packageName}/`)) ?? null);
}

interface StartContext extends UserContext {
  readonly device: Device;
  readonly clock: Clock;
}

/** Starts an activity and waits until it is on top: commands say yes to starts that the system swallows. */
export async function startActivity(
  context: StartContext,
  request: StartRequest,
  signal: AbortSignal,
): Promise<Result<Started>> {
  const chosen = await choose(context, request, signal);
  if (!chosen.ok) return chosen;
  const { component, isLauncher } = chosen.value;
  const { connection, user, clock } = context;
  const began = clock.now();
  const output = await run(
    connection,
    [
      'am',
      'start',
      ...(request.stopFirst ? ['-S'] : []),
      '--user',
      String(user),
      ...(isLauncher ? [...LAUNCH_INTENT, '-f', LAUNCH_FLAGS] : []),
      '-n',
      component.component,
    ],
    signal,
  );
  if (!output.ok) return output;
  const said = parseStart(output.value.all);
  if (!said.ok)
    return fail(
      'ACTIVITY_NOT_STARTED',
      `${component.component} was not started: ${said.message.slice(0, 300)}`,
      {
        data: { component: component.component, reason: said.reason },
      },
    );
  return onTop(context, { component, isLauncher, state: said.state, began }, signal);
}

async function choose(
  context: StartContext,
  { packageName, activity }: StartRequest,
  signal: AbortSignal,
): Promise<Result<{ readonly component: Component; readonly isLauncher: boolean }>> {
  const launcher = await readLauncher(context, packageName, signal);
  if (!launcher.ok) return launcher;
  const named = activity ?? launcher.value;
  if (named === null)
    return fail(
      'ACTIVITY_NOT_STARTED',
      `${packageName} has no launcher activity. Name one in launchActivity.`,
    );
  const component = resolveComponent(packageName, named);
  if (!component)
    return fail(
      'INVALID_PARAMS',
      `launchActivity: got "${named.slice(0, 100)}", expected a class or package/.Class`,
    );
  const launcherClass =
    launcher.value === null ? null : resolveComponent(packageName, launcher.value)?.className;
  return ok({ component, isLauncher: component.className === launcherClass });
}

interface Launch {
  readonly component: Component;
  readonly isLauncher: boolean;
  readonly state: StartState;
  readonly began: number;
}

async function onTop(
  { device, clock }: StartContext,
  { component, isLauncher, state, began }: Launch,
  signal: AbortSignal,
): Promise<Result<Started>> {
  const { packageName } = component;
  // A busy device may be long over the command itself.
  const end = clock.now() + ON_TOP_LIMIT_MS;
  let last: ActivityStack | null = null;
  for (let crashChecks = 0; ;) {
    const stack = await device.activities(signal);
    if (!stack.ok) return stack;
    last = stack.value;
    // A launcher activity may be an alias, or hand on to another one at once: any of the app's activities will do.
    const fitting = shown(last, (activity) => {
      return (
        activity.packageName === packageName && (isLauncher || activity.className === component.className)
      );
    });
    const pid = fitting ? (fitting.pid ?? (await mainPid(device, packageName, signal))) : null;
    const tookMs = clock.now() - began;
    if (fitting && pid !== null) {
      const coveredBy = last.top === fitting ? null : (last.top?.component ?? null);
      return ok({ component: fitting.component, pid, state, coveredBy, tookMs });
    }
    if (tookMs > CRASH_AFTER_MS * (crashChecks + 1)) {
      crashChecks += 1;
      const crash = await recentCrash(device, packageName, tookMs + 200, signal);
      if (crash) return crashed(packageName, crash);
    }
    if (clock.now() > end) break;
    await clock.sleep(POLL_MS, signal);
    if (signal.aborted) return fail('CANCELED', `The start of ${component.component} was canceled.`);
  }
  const inFront = last.top?.component ?? last.focusedWindow.title ?? 'nothing';
  return fail(
    'ACTIVITY_NOT_STARTED',
    `${component.component} did not come to the front; ${inFront} is there.`,
    {
      data: { component: component.component, topActivity: last.top?.component ?? null },
    },
  );
}

/** The activity on top, or one below it in its task when the one on top is another app's: it was started from there. */
function shown(
  { top, topTaskId, tasks }: ActivityStack,
  fits: (activity: ActivityEntry) => boolean,
): ActivityEntry | null {
  if (!top) return null;
  if (fits(top)) return top;
  const below = tasks.find(({ id }) => id === topTaskId)?.activities.find(fits);
  return below && below.packageName !== top.packageName ? below : null;
}

async function mainPid(device: Device, packageName: string, signal: AbortSignal): Promise<number | null> {
  const processes = await device.processes(packageName, signal);
  return processes.ok ? (processes.value[0]?.pid ?? null) : null;
}
