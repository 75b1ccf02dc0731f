import { z } from 'zod';
import { ok, type Result } from '../shared/outcome.ts';
import type { HostCheck } from '../toolchain/inspect-host.ts';
import { defineAction } from './action.ts';
import type { CallContext } from './context.ts';
import { deviceChecks } from './doctor-devices.ts';
import { openDevice } from './gates/device.ts';
import { changingDevice } from './gates/device-changes.ts';
import { optionalProject } from './gates/project.ts';
import { optionalProjectArgs } from './shapes.ts';

export const doctor = defineAction({
  name: 'doctor',
  title: 'Check the set-up',
  description:
    'Checks JDK, SDK, build tools, adb and each device and says how to mend what is wrong; selfTest installs and removes a tiny app.',
  input: z.strictObject({
    ...optionalProjectArgs,
    serial: z.string().optional(),
    selfTest: z.boolean().default(false),
  }),
  output: z.object({
    checks: z.array(
      z.object({
        name: z.string(),
        ok: z.boolean(),
        found: z.string().nullable(),
        problem: z.string().optional(),
        fix: z.string().optional(),
      }),
    ),
  }),
  run: async (input, context) => {
    const project = await optionalProject(input.projectDir, context);
    if (!project.ok) return project;
    const [host, devices] = await Promise.all([
      hostChecks(project.value?.projectDir, context.signal),
      deviceChecks(input.serial, context),
    ]);
    const tried = input.selfTest ? await tryDevice(input.serial, context) : ok([]);
    if (!tried.ok) return tried;
    const checks = [...host, ...devices, ...tried.value];
    const bad = checks.filter((check) => !check.ok);
    const message =
      bad.length === 0
        ? `All ${checks.length} checks are fine.`
        : `${bad.length} of ${checks.length} checks need a look: ${bad.map((check) => check.name).join(', ')}.`;
    return ok({ message, data: { checks } });
  },
});

/** The self-test on the device that a call would use; input of others waits meanwhile. */
async function tryDevice(
  serial: string | undefined,
  context: CallContext,
): Promise<Result<readonly HostCheck[]>> {
  const opened = await openDevice(serial, { ...context, selectedSerial: undefined });
  if (!opened.ok) return opened;
  const { selfTest } = await import('./self-test/self-test.ts');
  const { device } = opened.value;
  return changingDevice(device.serial, context, async () => ok(await selfTest(device, context)));
}

/** What this machine has: nothing is fetched to find out. */
async function hostChecks(
  projectDir: string | undefined,
  signal: AbortSignal,
): Promise<readonly HostCheck[]> {
  const { inspectHost } = await import('../toolchain/inspect-host.ts');
  return inspectHost({ ...(projectDir === undefined ? {} : { projectDir }), signal });
}
