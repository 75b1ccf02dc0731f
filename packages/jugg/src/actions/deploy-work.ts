import type { z } from 'zod';
import { fail, ok, type Fault, type Result } from '../shared/outcome.ts';
import type { WorkContext } from '../shared/progress.ts';
import type { CompileOutcome } from '../engine/types.ts';
import type { Deployer, Deployment, DeployRequest } from '../deploy/types.ts';
import type { Device } from '../device/types.ts';
import type { JobAnswer } from '../runtime/jobs.ts';
import type { Answer } from './action.ts';
import { compiledFields, compileForJob, compileSentence, totalMs } from './build-work.ts';
import type { ProjectContext } from './context.ts';
import type { DeployInput } from './deploy-input.ts';
import { whenOnline } from './gates/app.ts';
import { blameDevice, openDevice, openDevices } from './gates/device.ts';
import { changingDevice, withOthersChanges } from './gates/device-changes.ts';
import { asJob } from './job-answer.ts';
import { crash, deployType } from './shapes.ts';

interface DeviceRow {
  readonly serial: string;
  readonly status: 'success' | 'failed';
  readonly deployType?: Deployment['deployType'];
  readonly errorCode: Fault['code'] | null;
  readonly message: string;
  readonly timings?: Deployment['timings'];
}

/** What became of one device, and why it failed if it did. */
interface Done {
  readonly row: DeviceRow;
  readonly fault: Fault | null;
}

/** What a job does on each device with what was compiled. */
export type CarryOut = (
  deployer: Deployer,
  device: Device,
  request: DeployRequest,
  work: WorkContext,
) => Promise<Result<Deployment>>;

/** `deploy` and its kin as a job: the devices are chosen first, at once, so that a missing one costs no build. */
export async function deployJob(
  kind: 'deploy' | 'clean-reinstall',
  input: DeployInput,
  context: ProjectContext,
  carryOut: CarryOut,
): Promise<Result<Answer>> {
  const opened = await openDevices(input, context);
  if (!opened.ok) return opened;
  const devices = opened.value.map(({ device }) => device);
  const serials = devices.map((device) => device.serial);
  const { timeoutMs, ...alike } = input;
  const answer = await asJob(
    {
      kind,
      projectDir: context.projectDir,
      key: JSON.stringify([kind, { ...alike, projectDir: context.projectDir, serials }]),
      timeoutMs,
      run: (work) =>
        run(
          input,
          { ...context, signal: work.signal, remainingMs: () => Number.POSITIVE_INFINITY },
          devices,
          work,
          carryOut,
        ),
    },
    context,
  );
  return withOthersChanges(serials, context, answer);
}

async function run(
  input: DeployInput,
  context: ProjectContext,
  devices: readonly Device[],
  work: WorkContext,
  carryOut: CarryOut,
): Promise<Result<JobAnswer>> {
  const { runtime, projectDir } = context;
  const { module, variant, allowGradle } = input;
  const compiled = await compileForJob(
    runtime,
    { projectDir, allowGradle, ...(module ? { module } : {}), ...(variant ? { variant } : {}) },
    work,
  );
  if (!compiled.ok) return compiled;
  const engine = await runtime.engine();
  const { state } = compiled.value;
  // All devices share one APK, whichever needs it first.
  let packaged: Promise<Result<string>> | undefined;
  let jars: ReturnType<DeployRequest['classJars']> | undefined;
  const request: DeployRequest = {
    projectDir,
    state,
    alwaysRestartApp: input.alwaysRestartApp,
    launchActivity: input.launchActivity,
    packageApk: () => (packaged ??= engine.packageApk(state, work)),
    classJars: () => (jars ??= engine.classJars(state, work)),
  };
  const deployer = await runtime.deployer();
  work.phase('deploy');
  const done = await Promise.all(
    devices.map(async (device): Promise<Done> => {
      const carriedOut = await changingDevice(device.serial, context, () =>
        carryOut(deployer, device, request, work),
      );
      const deployed = await blameDevice(carriedOut, device.serial, context);
      const online = deployed.ok && input.waitAppReadyAfterSuccess && deployed.value.pid !== null;
      const ready = online ? await waitReady(device, context, state.applicationId) : ok(undefined);
      const failed = deployed.ok ? ready : deployed;
      return { row: toRow(device.serial, deployed, ready), fault: failed.ok ? null : failed.fault };
    }),
  );
  return conclude(compiled.value, done);
}

async function waitReady(
  device: Device,
  context: ProjectContext,
  packageName: string,
): Promise<Result<unknown>> {
  const opened = await openDevice(device.serial, context);
  return opened.ok ? whenOnline({ ...context, ...opened.value, packageName }) : opened;
}

function toRow(serial: string, deployed: Result<Deployment>, ready: Result<unknown>): DeviceRow {
  if (!deployed.ok)
    return { serial, status: 'failed', errorCode: deployed.fault.code, message: deployed.fault.message };
  const { deployType, message, reasons, timings } = deployed.value;
  const why = reasons.length > 0 && deployType !== 'NONE' ? ` Why ${deployType}: ${reasons.join(' ')}` : '';
  const told = `${message}${why}`;
  if (!ready.ok)
    return {
      serial,
      status: 'failed',
      deployType,
      errorCode: ready.fault.code,
      message: `${told} ${ready.fault.message}`,
      timings,
    };
  return { serial, status: 'success', deployType, errorCode: null, message: told, timings };
}

/** What an app that crashed says of itself; told once in the answer, for the device that the message names. */
function crashIn(fault: Fault | null | undefined): z.output<typeof crash> | undefined {
  return crash.safeParse(fault?.data?.['crash']).data;
}

/** The job's type is that of the device for which most had to be done. */
function byReach(one: Deployment['deployType'], other: Deployment['deployType']): number {
  const order = deployType.options;
  return order.indexOf(one) - order.indexOf(other);
}

function conclude(compiled: CompileOutcome, done: readonly Done[]): Result<JobAnswer> {
  const rows = done.map(({ row }) => row);
  const [first] = rows;
  const farthest = rows
    .map((row) => row.deployType ?? 'NONE')
    .toSorted(byReach)
    .at(-1);
  const failed = rows.find((row) => row.status === 'failed');
  const crashed = crashIn(done.find(({ fault }) => fault !== null)?.fault);
  const phases = { ...compiled.timings, ...first?.timings };
  const data = {
    ...compiledFields(compiled),
    isDeploySuccess: failed === undefined,
    ...(rows.some((row) => row.deployType) ? { deployType: farthest } : {}),
    devices: rows,
    ...(crashed ? { crash: crashed } : {}),
    timings: { ...phases, total: totalMs(phases) },
  };
  if (failed) {
    const others =
      rows.length > 1
        ? ` ${rows.filter((row) => row.status === 'success').length} of ${rows.length} devices have it.`
        : '';
    return fail(failed.errorCode ?? 'DEPLOY_FAILED', `${failed.serial}: ${failed.message}${others}`, {
      data,
    });
  }
  return ok({
    message: [compileSentence(compiled), ...new Set(rows.map((row) => row.message))].join(' '),
    data,
  });
}
