import { z } from 'zod';
import { fail, ok } from '../shared/outcome.ts';
import { defineAction } from './action.ts';
import type { AppContext } from './context.ts';
import {
  changingDevice,
  openDevice,
  targetApp,
  whenOnline,
  withOthersChanges,
  withProject,
} from './gates.ts';
import { deviceSetArgs, projectArgs } from './shapes.ts';

export const restart = defineAction({
  name: 'restart',
  title: 'Restart the app',
  description:
    'Stops and starts the app at its launcher or the named activity; code that was hot reloaded stays.',
  input: z.strictObject({
    ...projectArgs,
    ...deviceSetArgs,
    launchActivity: z.string().optional(),
    waitAppReadyAfterSuccess: z.boolean().default(false),
  }),
  output: z.object({
    devices: z.array(
      z.object({
        serial: z.string(),
        component: z.string().nullable(),
        pid: z.number().int().nullable(),
        message: z.string(),
      }),
    ),
  }),
  run: withProject(async (input, context) => {
    if (input.serial !== undefined && input.serials !== undefined) {
      return fail('INVALID_PARAMS', 'serials: got serial as well, expected one of the two');
    }
    const deployer = await context.runtime.deployer();
    const rows = [];
    for (const serial of new Set(input.serials ?? [input.serial])) {
      const opened = await openDevice(serial, context);
      if (!opened.ok) return opened;
      const onDevice = { ...context, ...opened.value };
      const target = await targetApp(undefined, onDevice);
      if (!target.ok) return target;
      const app: AppContext = { ...onDevice, packageName: target.value };
      const work = { signal: context.signal, phase: () => {}, log: () => {} };
      const { projectDir } = context;
      const { packageName } = app;
      const { launchActivity } = input;
      const started = await changingDevice(app.device.serial, context, () =>
        deployer.restart(app.device, { projectDir, packageName, launchActivity }, work),
      );
      if (!started.ok) return started;
      if (input.waitAppReadyAfterSuccess && started.value.pid !== null) {
        const online = await whenOnline(app);
        if (!online.ok) return online;
      }
      rows.push({ serial: app.device.serial, ...started.value });
    }
    return withOthersChanges(
      rows.map((row) => row.serial),
      context,
      ok({ message: rows.map((row) => row.message).join(' '), data: { devices: rows } }),
    );
  }),
});
