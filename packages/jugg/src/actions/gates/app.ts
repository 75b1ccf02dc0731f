import { fail, ok, type Result } from '../../shared/outcome.ts';
import { waitUntilOnline } from '../../device/online.ts';
import type { Answer, Run } from '../action.ts';
import type { AppContext, CallContext, DeviceContext } from '../context.ts';
import { withDevice } from './device.ts';
import { withProject } from './project.ts';

export interface AppGate {
  /** The app's process must be there (and, where it can, its inspector answer). */
  readonly online: boolean;
  /** The screen must be on and unlocked [as `inFront`]. */
  readonly interactive?: boolean;
  /** The device must take input, and the app be in front. */
  readonly inFront: boolean;
}

export function withApp<I extends { package?: string | undefined }>(
  gate: AppGate,
  run: Run<I, AppContext>,
): Run<I, DeviceContext> {
  return async (input, context) => {
    const target = await targetApp(input.package, context);
    if (!target.ok) return target;
    const app: AppContext = { ...context, packageName: target.value };
    if (gate.online) {
      const online = await whenOnline(app);
      if (!online.ok) return online;
    }
    if (gate.interactive ?? gate.inFront) {
      const awake = await interactive(app);
      if (!awake.ok) return awake;
    }
    if (gate.inFront) {
      const ready = await inFront(app);
      if (!ready.ok) return ready;
    }
    return run(input, app);
  };
}

/** The app last deployed by this project to that device, else the project's own application id. */
export async function targetApp(given: string | undefined, context: DeviceContext): Promise<Result<string>> {
  if (given !== undefined) return ok(given);
  const deployer = await context.runtime.deployer();
  const deployed = await deployer.lastDeployed(context.projectDir, context.device.serial);
  if (deployed) return ok(deployed.applicationId);
  const project = await (await context.runtime.engine()).describe(context.projectDir);
  if (!project.ok) return project;
  if (project.value.applicationId) return ok(project.value.applicationId);
  return fail(
    'INVALID_PARAMS',
    'package: nothing was deployed yet and the project does not say which app it is; pass package.',
    {
      data: {
        candidates: project.value.modules
          .filter((module) => module.kind === 'app')
          .map((module) => module.name),
      },
    },
  );
}

export async function whenOnline(context: AppContext): Promise<Result<{ readonly pid: number }>> {
  const deployer = await context.runtime.deployer();
  return waitUntilOnline(context.device, context.packageName, {
    startedByUsAtMs: deployer.lastStart(context.device.serial, context.packageName),
    signal: context.signal,
  });
}

async function interactive({ device, signal, projectDir }: AppContext): Promise<Result<void>> {
  const state = await device.interactivity(signal);
  if (!state.ok) return state;
  if (state.value.interactive) return ok(undefined);
  return fail(
    'DEVICE_NOT_INTERACTIVE',
    `The device takes no input now: it is ${state.value.wakefulness}${state.value.keyguard ? ' and locked' : ''}. Wake and unlock it (input with key WAKEUP wakes it).`,
    {
      data: {
        wakefulness: state.value.wakefulness,
        nextTool: { name: 'input', arguments: { projectDir, key: 'WAKEUP' } },
      },
    },
  );
}

/** Whether the app is what takes input now. */
export async function inFront(context: AppContext): Promise<Result<void>> {
  const { device, signal, packageName } = context;
  const stack = await device.activities(signal);
  if (!stack.ok) return stack;
  const top = stack.value.top;
  if (top?.packageName === packageName || stack.value.focusedWindow.packageName === packageName)
    return ok(undefined);
  return fail(
    'APP_NOT_FOREGROUND',
    `${packageName} is not in front${top ? `; ${top.component} is` : ''}. Call restart to bring it there${top ? `, or pass package ${JSON.stringify(top.packageName)} to use what is in front` : ''}.`,
    { data: { topActivity: top?.component ?? null } },
  );
}

/** Shorthand for the tools that look at the app on one device. */
export function onApp<
  I extends { projectDir: string; serial?: string | undefined; package?: string | undefined },
>(gate: AppGate, run: (input: I, context: AppContext) => Promise<Result<Answer>>): Run<I, CallContext> {
  return withProject(withDevice(withApp(gate, run)));
}
