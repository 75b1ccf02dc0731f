import { parseResolvedActivities, parseStart } from '../formats/am-start.ts';
import { parseComponent } from '../formats/component.ts';
import { permissionRefusal, permissionState } from '../formats/permissions.ts';
import type { Clock } from '../shared/clock.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import type { UserContext } from './packages.ts';
import { run } from './shell.ts';
import type { Device, OpenRequest, PermissionChange } from './types.ts';

const GONE_LIMIT_MS = 5_000;
const ON_TOP_LIMIT_MS = 10_000;
const POLL_MS = 50;

export interface ControlContext extends UserContext {
  readonly device: Device;
  readonly clock: Clock;
}

/** Stops the app; believed when no process of it is left. */
export async function stopApp(
  context: ControlContext,
  packageName: string,
  signal: AbortSignal,
): Promise<Result<void>> {
  const command = ['am', 'force-stop', '--user', String(context.user), packageName];
  const done = await run(context.connection, command, signal);
  return done.ok ? processesGone(context, packageName, signal) : done;
}

/** Deletes the app's data, which also ends it; believed when the package manager says Success and no process is left. */
export async function clearApp(
  context: ControlContext,
  packageName: string,
  signal: AbortSignal,
): Promise<Result<void>> {
  const command = ['pm', 'clear', '--user', String(context.user), packageName];
  const done = await run(context.connection, command, signal);
  if (!done.ok) return done;
  if (!/^Success\s*$/m.test(done.value.all)) {
    const said = done.value.all.trim().slice(0, 300);
    return fail('FEATURE_NOT_SUPPORTED', `The device did not clear ${packageName}: ${said}`);
  }
  return processesGone(context, packageName, signal);
}

async function processesGone(
  { device, clock }: ControlContext,
  packageName: string,
  signal: AbortSignal,
): Promise<Result<void>> {
  const end = clock.now() + GONE_LIMIT_MS;
  for (;;) {
    const left = await device.processes(packageName, signal);
    if (!left.ok) return left;
    if (left.value.length === 0) return ok(undefined);
    if (clock.now() >= end) {
      const names = left.value.map(({ name, pid }) => `${name} (${pid})`).join(', ');
      return fail('TIMEOUT', `${packageName} still runs: ${names}. Something starts it again.`, {
        data: { processes: left.value },
      });
    }
    await clock.sleep(POLL_MS, signal);
    if (signal.aborted) return fail('CANCELED', `Stopping ${packageName} was canceled.`);
  }
}

/** Grants or revokes a permission of one user; believed when the package manager lists it so. */
export async function changePermission(
  { connection, user }: UserContext,
  packageName: string,
  { permission, granted }: PermissionChange,
  signal: AbortSignal,
): Promise<Result<void>> {
  const verb = granted ? 'grant' : 'revoke';
  const done = await run(connection, ['pm', verb, '--user', String(user), packageName, permission], signal);
  if (!done.ok) return done;
  const refusal = permissionRefusal(done.value.all);
  if (refusal !== null) {
    const asksWrong = /has not requested|not a changeable|Unknown permission/i.test(refusal);
    return asksWrong
      ? fail('INVALID_PARAMS', `permission: ${refusal.slice(0, 300)}`)
      : fail('FEATURE_NOT_SUPPORTED', `The device does not let adb ${verb} it: ${refusal.slice(0, 300)}`);
  }
  const dump = await run(connection, ['dumpsys', 'package', packageName], signal);
  if (!dump.ok) return dump;
  const state = permissionState(dump.value.stdout, packageName, user, permission);
  if ((state === 'granted') === granted) return ok(undefined);
  return fail(
    'FEATURE_NOT_SUPPORTED',
    `The device said nothing against it, but lists ${permission} as ${state}.`,
  );
}

/** Opens a link in the app; believed when the activity that takes it, or one that it hands on to, is on top. */
export async function openLink(
  context: ControlContext,
  { packageName, uri, extras }: OpenRequest,
  signal: AbortSignal,
): Promise<Result<{ readonly component: string }>> {
  const { connection, device, user, clock } = context;
  const intent = ['-a', 'android.intent.action.VIEW', '-d', uri, '-p', packageName];
  const resolved = await run(
    connection,
    ['cmd', 'package', 'resolve-activity', '--brief', '--user', String(user), ...intent],
    signal,
  );
  if (!resolved.ok) return resolved;
  const taker = parseResolvedActivities(resolved.value.stdout).map((one) => parseComponent(one))[0] ?? null;
  const before = await device.activities(signal);
  if (!before.ok) return before;
  const values = Object.entries(extras).flatMap(([name, value]) => ['--es', name, value]);
  const started = await run(
    connection,
    ['am', 'start', '--user', String(user), ...intent, ...values],
    signal,
  );
  if (!started.ok) return started;
  const said = parseStart(started.value.all);
  if (!said.ok) {
    return fail(
      'ACTIVITY_NOT_STARTED',
      `Nothing in ${packageName} opened ${uri}: ${said.message.slice(0, 300)}`,
      {
        data: { reason: said.reason },
      },
    );
  }
  const end = clock.now() + ON_TOP_LIMIT_MS;
  for (;;) {
    const stack = await device.activities(signal);
    if (!stack.ok) return stack;
    const { top } = stack.value;
    const isNew = top?.component !== before.value.top?.component || said.state !== 'started';
    if (top?.packageName === packageName && (top.className === taker?.className || isNew))
      return ok({ component: top.component });
    if (clock.now() >= end) {
      return fail('ACTIVITY_NOT_STARTED', `${packageName} did not come to the front with ${uri}.`, {
        data: { topActivity: top?.component ?? null },
      });
    }
    await clock.sleep(POLL_MS, signal);
    if (signal.aborted) return fail('CANCELED', `Opening ${uri} was canceled.`);
  }
}
