import { fail, ok, type Result } from '../../shared/outcome.ts';
import { chooseDevice, unusableReason } from '../../runtime/devices.ts';
import type { Run } from '../action.ts';
import type { CallContext, DeviceContext, ProjectContext } from '../context.ts';
import { CHANGES_DEVICE, changingDevice, withOthersChanges } from './device-changes.ts';

/** The second gate: one usable device, as `runtime/devices.ts` chooses it. */
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
    if (!result.ok && result.fault.code === 'DEVICE_GONE')
      await (await context.runtime.devices()).drop(onDevice.device);
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
