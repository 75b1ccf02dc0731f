import { connectDirect } from './direct.ts';
import type { DirectTransport } from './direct.ts';
import { pause } from './deadline.ts';
import type { DeviceRef, KnownVirtualDevice } from './types.ts';

/** How soon a device that starts, or comes back, is noticed without being asked for. */
const LOOK_MS = 2000;

/** Keeps a connection to each virtual device that the caller knows of; all streams to a device share it. */
export class DirectDevices {
  readonly #known: () => Promise<readonly KnownVirtualDevice[]>;
  readonly #changed: () => void;
  readonly #log: ((line: string) => void) | undefined;
  readonly #open = new Map<string, { readonly transport: DirectTransport; readonly name: string }>();
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;
  #looking: Promise<void> | null = null;

  constructor(
    known: () => Promise<readonly KnownVirtualDevice[]>,
    changed: () => void,
    log?: (line: string) => void,
  ) {
    this.#known = known;
    this.#changed = changed;
    this.#log = log;
    this.#watching = this.#watch();
  }

  devices(): DeviceRef[] {
    return [...this.#open.values()].map(({ transport, name }) => ({
      serial: transport.serial,
      state: transport.banner.state,
      detail: null,
      product: transport.banner.props.get('ro.product.name') ?? null,
      model: transport.banner.props.get('ro.product.model')?.replaceAll(/[^A-Za-z0-9]/g, '_') ?? null,
      device: transport.banner.props.get('ro.product.device') ?? null,
      usb: null,
      transportId: null,
      kind: 'virtual',
      viaServer: false,
      name,
    }));
  }

  transport(serial: string): DirectTransport | null {
    return this.#open.get(serial)?.transport ?? null;
  }

  /** Looks for devices anew; calls that come while one looks share it. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#stop.signal.aborted) return;
    // A look that has begun may have missed a device that was started since.
    await this.#looking;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    await this.#looking;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    for (const { transport } of this.#open.values()) transport.close();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.refresh(this.#stop.signal);
      await pause(LOOK_MS, this.#stop.signal);
    }
  }

  async #look(): Promise<void> {
    const known = await this.#known().catch((error: unknown) => {
      this.#log?.(`adb: virtual devices cannot be listed: ${String(error)}`);
      return [];
    });
    const missing = known.filter(({ host, port }) => !this.#open.has(`${host}:${port}`));
    await Promise.all(missing.map((device) => this.#connect(device)));
  }

  async #connect(device: KnownVirtualDevice): Promise<void> {
    const connected = await connectDirect(device, { signal: this.#stop.signal });
    if (!connected.ok) {
      this.#log?.(`adb: ${device.name}: ${connected.fault.message}`);
      return;
    }
    const transport = connected.value;
    if (this.#stop.signal.aborted) {
      transport.close();
      return;
    }
    this.#open.set(transport.serial, { transport, name: device.name });
    void transport.closed.then(() => this.#gone(transport));
    this.#changed();
  }

  #gone(transport: DirectTransport): null {
    if (this.#open.get(transport.serial)?.transport === transport) this.#open.delete(transport.serial);
    if (!this.#stop.signal.aborted) this.#changed();
    return null;
  }
}
