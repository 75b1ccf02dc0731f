import { z } from 'zod';
import { fail, ok, type Fault, type Result } from '../shared/outcome.ts';
import { defineAction, type Answer } from './action.ts';
import type { AppContext, DeviceContext } from './context.ts';
import { targetApp, whenOnline } from './gates/app.ts';
import { openDevices } from './gates/device.ts';
import { changingDevice, withOthersChanges } from './gates/device-changes.ts';
import { withProject } from './gates/project.ts';
import { deviceSetArgs, launchActivity, projectArgs } from './shapes.ts';

const input = z.strictObject({
  ...projectArgs,
  ...deviceSetArgs,
  launchActivity,
  waitAppReadyAfterSuccess: z.boolean().default(false),
});
type RestartInput = z.output<typeof input>;

const row = z.object({
  serial: z.string(),
  component: z.string().nullable(),
  pid: z.number().int().nullable(),
  message: z.string(),
});
type Row = z.output<typeof row>;

export const restart = defineAction({
  name: 'restart',
  title: 'Restart the app',
  description:
    'Stops and starts the app at its launcher or the named activity; code that was hot reloaded stays.',
  input,
  output: z.object({ devices: z.array(row) }),
  run: withProject(async (given, context) => {
    const opened = await openDevices(given, context);
    if (!opened.ok) return opened;
    const done = await Promise.all(
      opened.value.map(async ({ device, ref }) => ({
        serial: device.serial,
        result: await restartOn({ ...context, device, ref }, given),
      })),
    );
    return withOthersChanges(
      done.map(({ serial }) => serial),
      context,
      conclude(done),
    );
  }),
});

async function restartOn(context: DeviceContext, given: RestartInput): Promise<Result<Row>> {
  const { device, projectDir, signal } = context;
  const target = await targetApp(undefined, context);
  if (!target.ok) return target;
  const app: AppContext = { ...context, packageName: target.value };
  const deployer = await context.runtime.deployer();
  const work = { signal, phase: () => {}, log: () => {} };
  const request = { projectDir, packageName: app.packageName, launchActivity: given.launchActivity };
  const started = await changingDevice(device.serial, context, () => deployer.restart(device, request, work));
  if (!started.ok) return started;
  if (given.waitAppReadyAfterSuccess && started.value.pid !== null) {
    const online = await whenOnline(app);
    if (!online.ok) return online;
  }
  return ok({ serial: device.serial, ...started.value });
}

/** What one device could not do does not hide what the others did. */
function conclude(
  done: readonly { readonly serial: string; readonly result: Result<Row> }[],
): Result<Answer> {
  const devices: Row[] = [];
  const failed: { serial: string; fault: Fault }[] = [];
  for (const { serial, result } of done) {
    if (result.ok) devices.push(result.value);
    else failed.push({ serial, fault: result.fault });
  }
  const [first] = failed;
  if (!first) return ok({ message: devices.map(({ message }) => message).join(' '), data: { devices } });
  if (done.length === 1) return { ok: false, fault: first.fault };
  const said = failed.map(({ serial, fault }) => `${serial}: ${fault.message}`);
  return fail(first.fault.code, said.join(' '), {
    data: {
      ...first.fault.data,
      devices,
      failed: failed.map(({ serial, fault: { code, message } }) => ({ serial, errorCode: code, message })),
    },
  });
}
