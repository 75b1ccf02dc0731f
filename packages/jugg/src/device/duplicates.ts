import type { DeviceKind } from './types.ts';

interface Attached {
  readonly serial: string;
  readonly kind: DeviceKind;
}

/** The cable is faster and does not come and go with the network. */
const PREFERENCE: readonly DeviceKind[] = ['usb', 'emulator', 'virtual', 'wifi'];

/**
 * Groups of entries that are the same physical device, the preferred one first; entries without another are in none.
 * `hardwareSerials` holds `ro.serialno` by serial; what makers leave empty or alike ("unknown") proves nothing.
 */
export function duplicateGroups(
  devices: readonly Attached[],
  hardwareSerials: ReadonlyMap<string, string>,
): string[][] {
  const groups = new Map<string, Attached[]>();
  for (const device of devices) {
    const hardware = hardwareSerials.get(device.serial);
    if (!hardware || /^(?:unknown|0+|0123456789ABCDEF)$/i.test(hardware)) continue;
    groups.set(hardware, [...(groups.get(hardware) ?? []), device]);
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) =>
      group
        .toSorted((a, b) => PREFERENCE.indexOf(a.kind) - PREFERENCE.indexOf(b.kind))
        .map(({ serial }) => serial),
    );
}
