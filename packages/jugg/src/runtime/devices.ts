import type { AdbConnection, AdbHub, DeviceRef } from '../adb/types.ts';
import { duplicateGroups } from '../device/duplicates.ts';
import type { Device } from '../device/types.ts';
import { fail, ok, type Fault, type Result } from '../shared/outcome.ts';

/** Why a device cannot be used, in the contract's codes; `null` for one that can. */
export function unusableReason(ref: DeviceRef): Fault | null {
  const named = ref.name ? `${ref.serial} (${ref.name})` : ref.serial;
  switch (ref.state) {
    case 'device':
      return null;
    case 'unauthorized':
    case 'authorizing':
      return {
        code: 'DEVICE_UNAUTHORIZED',
        message: `Device ${named} has not yet allowed debugging from this computer; unlock it and accept the question on its screen.`,
      };
    case 'no permissions':
      return {
        code: 'DEVICE_NO_PERMISSIONS',
        message: `This user may not open device ${named}${ref.detail ? ` (${ref.detail})` : ''}; install udev rules for it and reconnect.`,
      };
    default:
      return {
        code: 'DEVICE_OFFLINE',
        message: `Device ${named} is attached, but its state is "${ref.state}"; reconnect it or finish what it is doing.`,
      };
  }
}

export interface DeviceWish {
  /** Given with the call: exactly this device or none. */
  readonly serial: string | undefined;
  /** `ANDROID_SERIAL`. */
  readonly environmentSerial: string | undefined;
  /** The project's selected device. */
  readonly selectedSerial: string | undefined;
}

/** Contract §2: the device a call means. Pure. A device that cannot be used never blocks one that can. */
export function chooseDevice(devices: readonly DeviceRef[], wish: DeviceWish): Result<DeviceRef> {
  const named = wish.serial ?? wish.environmentSerial ?? wish.selectedSerial;
  if (named !== undefined) {
    const source =
      wish.serial !== undefined
        ? 'serial'
        : wish.environmentSerial !== undefined
          ? 'ANDROID_SERIAL'
          : 'the selected device';
    const ref = devices.find((device) => device.serial === named || device.name === named);
    if (!ref) {
      return fail('NO_DEVICE', `There is no device ${named} (from ${source}). ${attached(devices)}`, {
        data: { candidates: candidates(devices) },
      });
    }
    const fault = unusableReason(ref);
    return fault ? { ok: false, fault } : ok(ref);
  }
  const usable = devices.filter((device) => unusableReason(device) === null);
  const [only, ...more] = usable;
  if (only && more.length === 0) return ok(only);
  if (only) {
    return fail(
      'MULTIPLE_DEVICE',
      `${usable.length} devices are usable; pass serial with one of ${usable.map((device) => device.serial).join(', ')}.`,
      {
        data: { candidates: candidates(usable) },
      },
    );
  }
  const [ghost, ...moreGhosts] = devices;
  const fault = ghost && moreGhosts.length === 0 ? unusableReason(ghost) : null;
  if (fault) return { ok: false, fault };
  return fail(
    'NO_DEVICE',
    `No usable device. ${attached(devices)} Connect one, or start a virtual device with \`jugg vd start\`.`,
    {
      data: { candidates: candidates(devices) },
    },
  );
}

function attached(devices: readonly DeviceRef[]): string {
  if (devices.length === 0) return 'None is attached.';
  return `Attached: ${devices.map((device) => `${device.serial} (${device.state})`).join(', ')}.`;
}

function candidates(devices: readonly DeviceRef[]): readonly Record<string, unknown>[] {
  return devices.map(({ serial, state, model, kind, name }) => ({
    serial,
    state,
    model,
    kind,
    ...(name ? { name } : {}),
  }));
}

const LOOK_MS = 250;
/** A phone that does not tell its properties by then must not keep the others waiting. */
const FACTS_TIMEOUT_MS = 5_000;

interface OpenDevice {
  readonly device: Device;
  readonly connection: AdbConnection;
  /** How it is reached: another way, or the same one anew, needs a connection of its own. */
  readonly link: string;
}

function linkOf({ viaServer, transportId }: DeviceRef): string {
  return viaServer ? `server ${transportId}` : 'direct';
}

/** Keeps one Device for each serial as long as the device stays. */
export class Devices {
  readonly #hub: AdbHub;
  readonly #create: (connection: AdbConnection, ref: DeviceRef) => Device;
  readonly #open = new Map<string, OpenDevice>();

  constructor(hub: AdbHub, create: (connection: AdbConnection, ref: DeviceRef) => Device) {
    this.#hub = hub;
    this.#create = create;
    hub.subscribe((refs) => this.#dropMissing(refs));
  }

  /** What is attached now; asks again, at most 2 s, when nothing usable is known. */
  async list(signal: AbortSignal, fresh = false): Promise<readonly DeviceRef[]> {
    const known = this.#hub.devices();
    if (!fresh && known.some((ref) => unusableReason(ref) === null)) return known;
    return this.#hub.refresh({ signal });
  }

  /**
   * What is attached, also what came a moment ago: "the only usable one" must be true now. A device that does not answer
   * at once holds nobody up.
   */
  async look(signal: AbortSignal): Promise<readonly DeviceRef[]> {
    return this.#hub.refresh({ signal, timeoutMs: LOOK_MS });
  }

  async open(ref: DeviceRef, signal: AbortSignal): Promise<Result<Device>> {
    const known = this.#open.get(ref.serial);
    if (known && known.link === linkOf(ref)) return ok(known.device);
    if (known) await this.#forget(ref.serial);
    const connection = await this.#hub.connect(ref.serial, { signal });
    if (!connection.ok) return connection;
    const device = this.#create(connection.value, ref);
    this.#open.set(ref.serial, { device, connection: connection.value, link: linkOf(ref) });
    return ok(device);
  }

  /** For one whose connection turned out to be lost: the next `open` of its serial makes another. */
  async drop(device: Device): Promise<void> {
    for (const [serial, known] of this.#open) if (known.device === device) await this.#forget(serial);
  }

  /**
   * Of entries that are one and the same device, the one to use, by the serial of each other one. All are asked at the
   * same time; one that does not answer counts as a device of its own.
   */
  async duplicates(refs: readonly DeviceRef[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const usable = refs.filter((ref) => unusableReason(ref) === null);
    const hardware = new Map<string, string>();
    const limited = AbortSignal.any([signal, AbortSignal.timeout(FACTS_TIMEOUT_MS)]);
    await Promise.all(
      usable.map(async (ref) => {
        const device = await this.open(ref, limited);
        const facts = device.ok ? await device.value.facts(limited) : device;
        if (facts.ok) hardware.set(ref.serial, facts.value.hardwareSerial);
      }),
    );
    const found = new Map<string, string>();
    for (const [preferred, ...others] of duplicateGroups(usable, hardware))
      for (const other of others) if (preferred !== undefined) found.set(other, preferred);
    return found;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((serial) => this.#forget(serial)));
    await this.#hub.close();
  }

  #dropMissing(refs: readonly DeviceRef[]): void {
    for (const [serial, { link }] of this.#open) {
      const ref = refs.find((other) => other.serial === serial);
      // An adb server may still list one that its own connection was lost to.
      if (!ref || unusableReason(ref) !== null || linkOf(ref) !== link) void this.#forget(serial);
    }
  }

  async #forget(serial: string): Promise<void> {
    const known = this.#open.get(serial);
    if (!known) return;
    this.#open.delete(serial);
    await known.device.close();
    known.connection.close();
  }
}
