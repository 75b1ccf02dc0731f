import { fail, ok } from '../shared/outcome.ts';
import type { Result } from '../shared/outcome.ts';
import { adbConnection } from './connection.ts';
import { withDeadline } from './deadline.ts';
import { DirectDevices } from './direct-devices.ts';
import { stateFault } from './faults.ts';
import { serverTransport } from './server.ts';
import { ServerWatch } from './server-watch.ts';
import type { AdbConnection, AdbHub, AdbHubOptions, CallOptions, DeviceRef } from './types.ts';

const REFRESH_MS = 2000;
const CONNECT_MS = 10_000;

/** Watches adb servers and virtual devices; see {@link AdbHub}. Starts watching at once. */
export function createAdbHub(options: AdbHubOptions = {}): AdbHub {
  return new Hub(options);
}

class Hub implements AdbHub {
  readonly #direct: DirectDevices;
  readonly #server: ServerWatch | null;
  readonly #listeners = new Set<(devices: readonly DeviceRef[]) => void>();
  #last = '';

  constructor(options: AdbHubOptions) {
    const changed = (): void => this.#changed();
    const address = options.server === undefined ? defaultServer(process.env) : options.server;
    this.#direct = new DirectDevices(
      options.virtualDevices ?? (() => Promise.resolve([])),
      changed,
      options.log,
    );
    this.#server = address ? new ServerWatch(address, changed, options.log) : null;
  }

  devices(): readonly DeviceRef[] {
    const direct = this.#direct.devices();
    const seen = new Set(direct.map(({ serial }) => serial));
    const behindServer = (this.#server?.devices() ?? []).filter(({ serial }) => !seen.has(serial));
    return [...behindServer, ...direct];
  }

  async refresh(options?: CallOptions): Promise<readonly DeviceRef[]> {
    await withDeadline('Listing devices', options, REFRESH_MS, async (signal) => {
      await Promise.all([this.#direct.refresh(signal), this.#server?.refresh(signal)]);
      return ok(undefined);
    });
    return this.devices();
  }

  subscribe(listener: (devices: readonly DeviceRef[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  connect(serial: string, options?: CallOptions): Promise<Result<AdbConnection>> {
    return withDeadline(`Connecting to ${serial}`, options, CONNECT_MS, async (signal) => {
      let ref = this.#find(serial);
      if (!ref) {
        await this.refresh({ signal });
        ref = this.#find(serial);
      }
      if (!ref) return fail('NO_DEVICE', `There is no device ${serial}.`, { data: { serial } });
      if (ref.state !== 'device') return stateFault(ref.serial, ref.state, ref.detail);
      const direct = this.#direct.transport(ref.serial);
      if (direct) return ok(adbConnection(direct));
      if (!this.#server) return fail('DEVICE_GONE', `Device ${ref.serial} went away.`);
      const transport = await serverTransport(this.#server.address, ref.serial, signal);
      return transport.ok ? ok(adbConnection(transport.value)) : transport;
    });
  }

  serverVersion(): number | null {
    return this.#server?.version ?? null;
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await Promise.all([this.#direct.close(), this.#server?.close()]);
  }

  #find(serial: string): DeviceRef | undefined {
    const devices = this.devices();
    return devices.find((ref) => ref.serial === serial) ?? devices.find((ref) => ref.name === serial);
  }

  #changed(): void {
    const devices = this.devices();
    const now = JSON.stringify(devices);
    if (now === this.#last) return;
    this.#last = now;
    for (const listener of this.#listeners) listener(devices);
  }
}

/** The address that adb itself uses (adb's client/commandline.cpp): `ANDROID_ADB_SERVER_PORT`, else 5037. */
export function defaultServer(env: NodeJS.ProcessEnv): { readonly host: string; readonly port: number } {
  const port = Number(env['ANDROID_ADB_SERVER_PORT']);
  return {
    host: env['ANDROID_ADB_SERVER_ADDRESS'] || '127.0.0.1',
    port: port > 0 && port < 65_536 ? port : 5037,
  };
}
