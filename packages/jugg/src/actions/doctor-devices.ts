import { unusableReason } from '../runtime/devices.ts';
import { ERROR_TABLE } from '../shared/errors.ts';
import type { HostCheck as Check } from '../toolchain/inspect-host.ts';
import type { CallContext } from './context.ts';

/** One check for the devices as a whole, and one for each of them. */
export async function deviceChecks(
  serial: string | undefined,
  context: CallContext,
): Promise<readonly Check[]> {
  const devices = await context.runtime.devices();
  const attached = await devices.list(context.signal, true);
  const wanted = attached.filter(
    (ref) => serial === undefined || ref.serial === serial || ref.name === serial,
  );
  const usable = wanted.filter((ref) => unusableReason(ref) === null).length;
  const summary: Check =
    usable > 0
      ? { name: 'devices', ok: true, found: `${usable} usable of ${wanted.length}` }
      : {
          name: 'devices',
          ok: false,
          found: wanted.length === 0 ? null : `${wanted.length}, none usable`,
          problem: 'There is no usable device.',
          fix: ERROR_TABLE.NO_DEVICE.hint,
        };
  const each = await Promise.all(
    wanted.map(async (ref): Promise<Check> => {
      const name = `device ${ref.serial}`;
      const fault = unusableReason(ref);
      if (fault)
        return {
          name,
          ok: false,
          found: ref.state,
          problem: fault.message,
          fix: ERROR_TABLE[fault.code].hint,
        };
      const device = await devices.open(ref, context.signal);
      const facts = device.ok ? await device.value.facts(context.signal) : device;
      if (!facts.ok)
        return {
          name,
          ok: false,
          found: ref.state,
          problem: facts.fault.message,
          fix: ERROR_TABLE[facts.fault.code].hint,
        };
      const { name: label, api, release, abis } = facts.value;
      const found = `${label}, Android ${release} (API ${api}), ${abis[0] ?? 'no ABI'}`;
      if (ref.kind === 'virtual') return { name, ok: true, found };
      return {
        name,
        ok: true,
        found: `${found}; views by uiautomator`,
        problem:
          'HOT_RELOAD and the inspector need the in-app agent for phones, which this version does not have.',
        fix: 'Every change is deployed as a patched APK; nothing has to be done.',
      };
    }),
  );
  return [summary, ...each];
}
