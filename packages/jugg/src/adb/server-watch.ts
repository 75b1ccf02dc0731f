import { parseDeviceList } from '../formats/adb-devices.ts';
import type { ListedDevice } from '../formats/adb-devices.ts';
import { pause } from './deadline.ts';
import { serverDevices, serverVersion, trackDevices } from './server.ts';
import type { ServerAddress } from './smart-socket.ts';
import type { DeviceKind, DeviceRef } from './types.ts';

/** First and longest wait before a server that is not there is looked for again. */
const RETRY_MS = 500;
const RETRY_MAX_MS = 4000;

/** Follows the device list of an adb server, and waits for a server while there is none. */
export class ServerWatch {
  readonly address: ServerAddress;
  version: number | null = null;
  readonly #changed: () => void;
  readonly #log: ((line: string) => void) | undefined;
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;
  #devices: readonly DeviceRef[] = [];

  constructor(address: ServerAddress, changed: () => void, log?: (line: string) => void) {
    this.address = address;
    this.#changed = changed;
    this.#log = log;
    this.#watching = this.#watch();
  }

  devices(): readonly DeviceRef[] {
    return this.#devices;
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const [list, version] = await Promise.all([
      serverDevices(this.address, signal),
      this.version === null ? serverVersion(this.address, signal) : null,
    ]);
    if (version?.ok) this.version = version.value;
    if (list.ok) this.#take(list.value);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    let wait = RETRY_MS;
    while (!signal.aborted) {
      const version = await serverVersion(this.address, signal);
      if (version.ok) {
        this.version = version.value;
        this.#log?.(`adb: server ${version.value} at ${this.address.host}:${this.address.port}`);
        wait = RETRY_MS;
        await trackDevices(this.address, signal, (list) => this.#take(list));
      }
      this.version = null;
      this.#take('');
      await pause(wait, signal);
      wait = Math.min(wait * 2, RETRY_MAX_MS);
    }
  }

  #take(list: string): void {
    this.#devices = parseDeviceList(list).map((device) => ({
      ...device,
      kind: kindOf(device),
      viaServer: true,
      name: null,
    }));
    if (!this.#stop.signal.aborted) this.#changed();
  }
}

/** What a serial and product say about how a device is attached. */
export function kindOf(device: Pick<ListedDevice, 'serial' | 'product'>): DeviceKind {
  if (device.product?.startsWith('jugg_virtual')) return 'virtual';
  if (/^emulator-\d+$/.test(device.serial)) return 'emulator';
  if (/:\d+$/.test(device.serial) || device.serial.includes('._adb-tls-connect.')) return 'wifi';
  return 'usb';
}
