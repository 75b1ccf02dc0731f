import { z } from 'zod';
import { fail, ok } from '../shared/outcome.ts';
import { defineAction } from './action.ts';
import type { HostCheck } from '../toolchain/inspect-host.ts';
import { deviceChecks } from './doctor-devices.ts';
import { optionalProject } from './gates.ts';
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
    if (input.selfTest) {
      return fail(
        'FEATURE_NOT_SUPPORTED',
        'selfTest is not there yet; call doctor without it, then deploy your app.',
      );
    }
    const project = await optionalProject(input.projectDir, context);
    if (!project.ok) return project;
    const [host, devices] = await Promise.all([
      hostChecks(project.value?.projectDir, context.signal),
      deviceChecks(input.serial, context),
    ]);
    const checks = [...host, ...devices];
    const bad = checks.filter((check) => !check.ok);
    const message =
      bad.length === 0
        ? `All ${checks.length} checks are fine.`
        : `${bad.length} of ${checks.length} checks need a look: ${bad.map((check) => check.name).join(', ')}.`;
    return ok({ message, data: { checks } });
  },
});

/** What this machine has: nothing is fetched to find out. */
async function hostChecks(
  projectDir: string | undefined,
  signal: AbortSignal,
): Promise<readonly HostCheck[]> {
  const { inspectHost } = await import('../toolchain/inspect-host.ts');
  return inspectHost({ ...(projectDir === undefined ? {} : { projectDir }), signal });
}
