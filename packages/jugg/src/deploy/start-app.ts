import type { Device, StartRequest, Started } from '../device/types.ts';
import { fail, type Result } from '../shared/outcome.ts';

/**
 * Starts the app. Where the named activity cannot be started the launcher activity is, so that a mistake in a name does
 * not leave an app that ran before dead; the fault says so.
 */
export async function startApp(
  device: Device,
  request: StartRequest,
  signal: AbortSignal,
): Promise<Result<Started>> {
  const started = await device.start(request, signal);
  if (started.ok || request.activity === undefined || started.fault.code !== 'ACTIVITY_NOT_STARTED')
    return started;
  const { packageName } = request;
  const instead = await device.start({ packageName, activity: undefined }, signal);
  if (!instead.ok) return started;
  const { code, message, data = {} } = started.fault;
  const { component } = instead.value;
  return fail(code, `${message} ${component} was started instead.`, {
    data: { ...data, started: component },
  });
}

/** For people: what was started, and what stands over it. */
export function describeStarted({ component, pid, coveredBy }: Started): string {
  return `${component} (process ${pid})${coveredBy === null ? '' : `; ${coveredBy} is in front of it`}`;
}
