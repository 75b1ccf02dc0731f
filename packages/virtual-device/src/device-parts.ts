import type { AppProcessPoolPort } from './app-process/types.ts';
import type { DeviceFolders } from './daemon/rootfs.ts';
import type { Spec } from './spec.ts';

/** What the device is made of outside of itself. */
export interface DeviceParts {
  readonly spec: Spec;
  readonly folders: DeviceFolders;
  readonly pool: AppProcessPoolPort;
  now(): number;
  /** Hears how many bytes have come from a client or gone to it. */
  readonly passed?: (bytes: number) => void;
}
