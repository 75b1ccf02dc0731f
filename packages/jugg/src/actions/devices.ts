import { z } from 'zod';
import type { DeviceRef } from '../adb/types.ts';
import { unusableReason } from '../runtime/devices.ts';
import { fail, ok } from '../shared/outcome.ts';
import { ERROR_TABLE } from '../shared/errors.ts';
import { defineAction } from './action.ts';
import type { CallContext } from './context.ts';
import { optionalProject } from './gates/project.ts';
import { optionalProjectArgs } from './shapes.ts';

const deviceShape = z.object({
  serial: z.string(),
  name: z.string(),
  model: z.string().nullable(),
  api: z.number().int().nullable(),
  abi: z.string().nullable(),
  state: z.string(),
  usable: z.boolean(),
  reason: z.string().optional(),
  hint: z.string().optional(),
  kind: z.enum(['usb', 'wifi', 'emulator', 'virtual']),
  isOnline: z.boolean(),
  isSelected: z.boolean(),
  duplicateOf: z.string().optional(),
});

export const devices = defineAction({
  name: 'devices',
  title: 'Devices',
  description:
    'Lists phones, emulators and virtual devices, usable or not and why. select makes one the device of the project.',
  input: z.strictObject({
    ...optionalProjectArgs,
    serial: z.string().optional(),
    select: z.boolean().optional(),
  }),
  output: z.object({ devices: z.array(deviceShape) }),
  run: async (input, context) => {
    const project = await optionalProject(input.projectDir, context);
    if (!project.ok) return project;
    if (input.select && !project.value)
      return fail('INVALID_PARAMS', 'select: got true, but there is no projectDir to select a device for');
    if (input.select && input.serial === undefined)
      return fail('INVALID_PARAMS', 'select: got true, but there is no serial to select');
    const attached = await (await context.runtime.devices()).list(context.signal, true);
    const wanted = attached.filter(
      (ref) => input.serial === undefined || ref.serial === input.serial || ref.name === input.serial,
    );
    if (input.serial !== undefined && wanted.length === 0) {
      return fail('NO_DEVICE', `There is no device ${input.serial}.`, {
        data: { candidates: attached.map((ref) => ref.serial) },
      });
    }
    let selected = project.value?.selectedSerial;
    const [toSelect] = wanted;
    if (input.select && project.value && toSelect) {
      await context.runtime.projects.select(project.value.projectDir, toSelect.serial);
      selected = toSelect.serial;
    }
    const duplicates = await (await context.runtime.devices()).duplicates(attached, context.signal);
    const described = await Promise.all(
      wanted.map(async (ref) => {
        const duplicateOf = duplicates.get(ref.serial);
        const row = await describe(ref, selected, context);
        return duplicateOf === undefined ? row : { ...row, duplicateOf };
      }),
    );
    const usable = described.filter((device) => device.usable).length;
    return ok({
      message:
        described.length === 0
          ? 'No device is attached; `jugg vd start` starts a virtual one.'
          : `${usable} of ${described.length} usable.`,
      data: { devices: described },
    });
  },
});

async function describe(
  ref: DeviceRef,
  selected: string | undefined,
  context: CallContext,
): Promise<z.output<typeof deviceShape>> {
  const fault = unusableReason(ref);
  const common = {
    serial: ref.serial,
    name: ref.name ?? ref.model?.replaceAll('_', ' ') ?? ref.serial,
    model: ref.model?.replaceAll('_', ' ') ?? null,
    api: null,
    abi: null,
    state: ref.state,
    kind: ref.kind,
    isOnline: ref.state === 'device',
    isSelected: ref.serial === selected,
  };
  if (fault) return { ...common, usable: false, reason: fault.message, hint: ERROR_TABLE[fault.code].hint };
  const device = await (await context.runtime.devices()).open(ref, context.signal);
  const facts = device.ok ? await device.value.facts(context.signal) : device;
  if (!facts.ok)
    return {
      ...common,
      usable: false,
      reason: facts.fault.message,
      hint: ERROR_TABLE[facts.fault.code].hint,
    };
  const { name, model, api, abis } = facts.value;
  return { ...common, name: ref.name ?? name, model, api, abi: abis[0] ?? null, usable: true };
}
