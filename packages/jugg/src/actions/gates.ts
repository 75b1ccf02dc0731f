import { fail, ok, type Result } from '../shared/outcome.ts';
import { waitUntilOnline } from '../device/online.ts';
import { chooseDevice, unusableReason } from '../runtime/devices.ts';
import { hasSettingsFile, normalizeProjectDir } from '../runtime/projects.ts';
import type { Answer, Run } from './action.ts';
import type { AppContext, CallContext, DeviceContext, ProjectContext } from './context.ts';

/**
 * The order of checks of the contract (§2) as wrappers: project → device → app online → device interactive, app in
 * front → the tool itself. Each fails with its own code; what one finds out is handed to the next.
 */
export function withProject<I extends { projectDir: string }>(
  run: Run<I, ProjectContext>,
  { mayBeGone = false }: { readonly mayBeGone?: boolean } = {},
): Run<I, CallContext> {
  return async (input, context) => {
    const project = await openProject(input.projectDir, context, mayBeGone);
    return project.ok ? run(input, project.value) : project;
  };
}

/** The project behind an optional `projectDir`; `null` when none is named. */
export async function optionalProject(
  projectDir: string | undefined,
  context: CallContext,
): Promise<Result<ProjectContext | null>> {
  return projectDir === undefined ? ok(null) : openProject(projectDir, context);
}

/** @param mayBeGone a project that was known here counts also when its folder is not there any more: its jobs are. */
async function openProject(
  projectDir: string,
  context: CallContext,
  mayBeGone = false,
): Promise<Result<ProjectContext>> {
  const normalized = await normalizeProjectDir(projectDir);
  if (!normalized.ok) {
    const gone = mayBeGone ? await context.runtime.projects.find(projectDir) : undefined;
    return gone ? ok({ ...context, projectDir, selectedSerial: gone.selectedSerial }) : normalized;
  }
  const dir = normalized.value;
  const { projects } = context.runtime;
  let known = await projects.find(dir);
  // A command that fails for want of a project must not have said yes to whatever appears there later.
  if (!known && context.trusted && !(await hasSettingsFile(dir))) {
    return fail(
      'INVALID_PARAMS',
      `projectDir: ${dir} is not a Gradle project: it has no settings.gradle or settings.gradle.kts.`,
    );
  }
  if (!known && context.trusted) {
    await projects.initialize(dir, context.runtime.now());
    known = await projects.find(dir);
  }
  if (!known) {
    return fail(
      'PROJECT_NOT_INITIALIZED',
      `Nobody has said yet that ${dir} may be built here: its build scripts would run as you. Run \`jugg init\` in that folder.`,
      { data: { hint: `cd ${JSON.stringify(dir)} && jugg init` } },
    );
  }
  context.runtime.touch(dir);
  return ok({ ...context, projectDir: dir, selectedSerial: known.selectedSerial });
}

export function withDevice<I extends { serial?: string | undefined }>(
  run: Run<I, DeviceContext>,
): Run<I, ProjectContext> {
  return async (input, context) => {
    const opened = await openDevice(input.serial, context);
    if (!opened.ok) return opened;
    const onDevice = { ...context, ...opened.value };
    const { serial } = onDevice.device;
    const result = CHANGES_DEVICE.has(context.tool)
      ? await changingDevice(serial, context, () => run(input, onDevice))
      : await run(input, onDevice);
    return withOthersChanges([serial], context, await blameDevice(result, serial, context));
  };
}

/** A device that went away in the middle shows as whatever was being done just then: what happened is that it is gone. */
export async function blameDevice<T>(
  result: Result<T>,
  serial: string,
  { runtime, signal, tool }: Pick<CallContext, 'runtime' | 'signal' | 'tool'>,
): Promise<Result<T>> {
  if (result.ok || signal.aborted || /^(DEVICE|INVALID)_/.test(result.fault.code)) return result;
  const attached = await (await runtime.devices()).look(signal);
  if (attached.some((ref) => ref.serial === serial && unusableReason(ref) === null)) return result;
  return fail('DEVICE_GONE', `The device went away during the ${tool}. ${result.fault.message}`, {
    data: result.fault.data ?? {},
  });
}

/** Tools that change what is on the screen; the others only look, and wait for nobody. */
const CHANGES_DEVICE: ReadonlySet<string> = new Set(['tap', 'input', 'app']);

/**
 * Runs what changes a device after all that came before and changes it, too: input of two agents never mixes. The other
 * clients are told of it afterwards.
 */
export function changingDevice<T extends { readonly ok: boolean }>(
  serial: string,
  context: Pick<CallContext, 'runtime' | 'client' | 'tool' | 'signal'>,
  work: () => Promise<T>,
): Promise<T | Result<never>> {
  const { deviceUse } = context.runtime;
  return deviceUse.inOrder(serial, async () => {
    if (context.signal.aborted)
      return fail('CANCELED', 'The call ended while others were still using the device.');
    const result = await work();
    if (result.ok)
      deviceUse.noteChange(serial, {
        client: context.client,
        tool: context.tool,
        at: context.runtime.now().toISOString(),
      });
    return result;
  });
}

/** Adds `deviceChangedBy` when another client has changed one of the devices since this client's last call on it. */
export function withOthersChanges(
  serials: readonly string[],
  { runtime, client }: Pick<CallContext, 'runtime' | 'client'>,
  result: Result<Answer>,
): Result<Answer> {
  const [deviceChangedBy] = serials
    .map((serial) => runtime.deviceUse.changedBy(serial, client))
    .filter((change) => change !== undefined);
  if (!deviceChangedBy) return result;
  if (result.ok) return ok({ ...result.value, data: { ...result.value.data, deviceChangedBy } });
  return { ok: false, fault: { ...result.fault, data: { ...result.fault.data, deviceChangedBy } } };
}

export async function openDevice(
  serial: string | undefined,
  context: CallContext & Pick<ProjectContext, 'selectedSerial'>,
): Promise<Result<Pick<DeviceContext, 'device' | 'ref'>>> {
  const devices = await context.runtime.devices();
  const wish = {
    serial,
    environmentSerial: process.env['ANDROID_SERIAL'],
    selectedSerial: context.selectedSerial,
  };
  const isNamed = Object.values(wish).some((named) => named !== undefined);
  const known = isNamed ? await devices.list(context.signal) : await devices.look(context.signal);
  let chosen = chooseDevice(known, wish);
  // Something that was plugged in a moment ago must not be missed.
  if (!chosen.ok) chosen = chooseDevice(await devices.list(context.signal, true), wish);
  // One phone over the cable and over the network is no choice.
  if (!chosen.ok && chosen.fault.code === 'MULTIPLE_DEVICE') {
    const attached = await devices.list(context.signal);
    const duplicates = await devices.duplicates(attached, context.signal);
    chosen = chooseDevice(
      attached.filter((ref) => !duplicates.has(ref.serial)),
      wish,
    );
  }
  if (!chosen.ok) return chosen;
  const device = await devices.open(chosen.value, context.signal);
  return device.ok ? ok({ device: device.value, ref: chosen.value }) : device;
}

/** The devices of a tool that works on one or several, each once. */
export async function openDevices(
  {
    serial,
    serials,
  }: { readonly serial?: string | undefined; readonly serials?: readonly string[] | undefined },
  context: ProjectContext,
): Promise<Result<readonly Pick<DeviceContext, 'device' | 'ref'>[]>> {
  if (serial !== undefined && serials !== undefined)
    return fail('INVALID_PARAMS', 'serials: got serial as well, expected one of the two');
  const chosen = new Map<string, Pick<DeviceContext, 'device' | 'ref'>>();
  for (const wanted of serials ?? [serial]) {
    const opened = await openDevice(wanted, context);
    if (!opened.ok) return opened;
    chosen.set(opened.value.ref.serial, opened.value);
  }
  return ok([...chosen.values()]);
}

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
    `${packageName} is not in front${top ? `; ${top.component} is` : ''}. Call restart to bring it there.`,
    {
      data: {
        topActivity: top?.component ?? null,
        nextTool: { name: 'restart', arguments: { projectDir: context.projectDir } },
      },
    },
  );
}

/** Shorthand for the tools that look at the app on one device. */
export function onApp<
  I extends { projectDir: string; serial?: string | undefined; package?: string | undefined },
>(gate: AppGate, run: (input: I, context: AppContext) => Promise<Result<Answer>>): Run<I, CallContext> {
  return withProject(withDevice(withApp(gate, run)));
}
