import { z } from 'zod';
import { fullPermission } from '../formats/permissions.ts';
import { fail, ok, type Result } from '../shared/outcome.ts';
import { defineAction, type Answer } from './action.ts';
import type { AppContext } from './context.ts';
import { onApp } from './gates/app.ts';
import { deviceArgs } from './shapes.ts';

const input = z.strictObject({
  ...deviceArgs,
  action: z.enum(['stop', 'clear', 'grant', 'revoke', 'open']),
  permission: z.string().optional(),
  uri: z.string().optional(),
  extras: z.record(z.string(), z.string()).optional(),
});
type Wish = z.output<typeof input>;

export const app = defineAction({
  name: 'app',
  title: 'Control the app',
  description: 'Stops the app, clears its data, grants or revokes a permission, or opens a link in it.',
  input,
  output: z.object({
    action: z.string(),
    package: z.string(),
    wasRunning: z.boolean().optional(),
    permission: z.string().optional(),
    granted: z.boolean().optional(),
    uri: z.string().optional(),
    component: z.string().optional(),
  }),
  run: async (given, context) => {
    const wrong = check(given);
    return wrong.ok ? control(given, context) : wrong;
  },
});

const control = onApp<Wish>({ online: false, inFront: false }, async (given, context) => {
  const { device, packageName, signal } = context;
  const installed = await device.app(packageName, signal);
  if (!installed.ok) return installed;
  if (!installed.value) {
    return fail('APP_NOT_INSTALLED', `${packageName} is not installed. Call deploy first.`);
  }
  switch (given.action) {
    case 'stop':
    case 'clear':
      return end(given.action, context);
    case 'grant':
    case 'revoke':
      return permit(given.action, fullPermission(given.permission ?? ''), context);
    case 'open':
      return open(given.uri ?? '', given.extras ?? {}, context);
  }
});

/** Which argument belongs to which action. */
function check({ action, permission, uri, extras }: Wish): Result<void> {
  const isPermission = action === 'grant' || action === 'revoke';
  if (isPermission && !/^[A-Za-z][\w.]*$/.test(permission ?? '')) {
    return fail('INVALID_PARAMS', `permission: ${action} needs its name, such as android.permission.CAMERA`);
  }
  if (action === 'open' && !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri ?? '')) {
    return fail('INVALID_PARAMS', 'uri: open needs a link with its scheme, such as https://example.com/page');
  }
  const surplus = [
    ...(permission !== undefined && !isPermission ? ['permission'] : []),
    ...(uri !== undefined && action !== 'open' ? ['uri'] : []),
    ...(extras !== undefined && action !== 'open' ? ['extras'] : []),
  ];
  return surplus.length === 0
    ? ok(undefined)
    : fail('INVALID_PARAMS', `${surplus.join(', ')}: not for ${action}`);
}

async function end(action: 'stop' | 'clear', context: AppContext): Promise<Result<Answer>> {
  const { device, packageName, signal } = context;
  const before = await device.processes(packageName, signal);
  if (!before.ok) return before;
  const done = await device[action](packageName, signal);
  if (!done.ok) return done;
  const wasRunning = before.value.length > 0;
  const what = action === 'stop' ? 'is stopped' : 'has no data any more, and is stopped';
  return ok({
    message: `${packageName} ${what}${wasRunning ? '' : '; it did not run'}. Call restart to start it.`,
    data: { action, package: packageName, wasRunning },
  });
}

async function permit(
  action: 'grant' | 'revoke',
  permission: string,
  { device, packageName, signal }: AppContext,
): Promise<Result<Answer>> {
  const granted = action === 'grant';
  const done = await device.setPermission(packageName, { permission, granted }, signal);
  if (!done.ok) return done;
  return ok({
    message: `${permission} is ${granted ? 'granted to' : 'not granted to'} ${packageName}.${granted ? '' : ' Android ends an app that loses a permission.'}`,
    data: { action, package: packageName, permission, granted },
  });
}

async function open(
  uri: string,
  extras: Readonly<Record<string, string>>,
  context: AppContext,
): Promise<Result<Answer>> {
  const { device, packageName, signal } = context;
  const renewed = await renewStopped(context);
  if (!renewed.ok) return renewed;
  const opened = await device.openUri({ packageName, uri, extras }, signal);
  if (!opened.ok) return opened;
  const { component } = opened.value;
  return ok({
    message: `${component} is on top with ${uri}.`,
    data: { action: 'open', package: packageName, uri, component },
  });
}

/** A process that the link starts has the code of the APK: when newer code was reloaded since, that is installed first. */
async function renewStopped(context: AppContext): Promise<Result<void>> {
  const { device, packageName, projectDir, runtime, signal } = context;
  const running = await device.processes(packageName, signal);
  if (!running.ok) return running;
  if (running.value.length > 0) return ok(undefined);
  const deployer = await runtime.deployer();
  const last = await deployer.lastDeployed(projectDir, device.serial);
  if (last?.applicationId !== packageName || !last.overlayPending) return ok(undefined);
  const work = { signal, phase: () => {}, log: () => {} };
  const done = await deployer.restart(device, { projectDir, packageName }, work);
  return done.ok ? ok(undefined) : done;
}
