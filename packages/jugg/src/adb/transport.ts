import type { Duplex } from 'node:stream';
import type { Result } from '../shared/outcome.ts';

/** A way to one device: the only thing that differs between the adb server and a direct connection. */
export interface Transport {
  readonly serial: string;
  readonly features: ReadonlySet<string>;
  /** Opens a service; `signal` bounds the opening. The stream is destroyed with an error when the device goes. */
  openStream(service: string, signal: AbortSignal): Promise<Result<Duplex>>;
}
